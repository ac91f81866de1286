import { describe, expect, it } from '@jest/globals';
import { folderProblem, repositoryProblem, revisionProblem } from './git-names.js';

describe('a revision', () => {
  it.each(['main', 'HEAD', 'release/1.2', 'v1.0.0', '0123abcd', 'feature/ü', 'a@b'])('%s', (text) => {
    expect(revisionProblem(text)).toBeUndefined();
  });

  // Each of these `git check-ref-format --branch` refuses.
  it.each([
    ['', 'must not be empty'],
    ['a b', 'git allows no " " in the name of a branch or tag'],
    ['a..b', 'git allows no ".." in the name of a branch or tag'],
    ['v1.*', 'git allows no "*" in the name of a branch or tag'],
    ['a@{1}', 'git allows no "@{" in the name of a branch or tag'],
    ['@', 'git takes this for no branch, tag or commit'],
    ['-d', 'git takes this for no branch, tag or commit'],
    ['/main', 'the name of a branch or tag neither begins with `/` nor ends with `/` or `.`'],
    ['main.', 'the name of a branch or tag neither begins with `/` nor ends with `/` or `.`'],
    ['a/.b', 'no part of a name may begin with `.` or end with `.lock`, as `.b` does'],
    ['a.lock', 'no part of a name may begin with `.` or end with `.lock`, as `a.lock` does'],
  ])('%j is none', (text, problem) => {
    expect(revisionProblem(text)).toBe(problem);
  });
});

describe('a repository', () => {
  const argocd = { schemes: ['https', 'ssh'], hasScpForm: true };
  const flux = { schemes: ['https', 'ssh'], hasScpForm: false };

  it.each(['https://git.example.com/a/b.git', 'ssh://git@git.example.com:2222/a', 'git@git.example.com:a/b.git'])(
    '%s',
    (text) => expect(repositoryProblem(text, argocd)).toBeUndefined(),
  );

  it.each([
    ['git@git.example.com:a/b.git', flux, 'write `ssh://git@git.example.com/a/b.git`'],
    ['git.example.com/a/b', argocd, 'must be an address that begins with `https://`, `ssh://`'],
    ['ftp://git.example.com/a', argocd, 'must be an address that begins with `https://`, `ssh://`'],
    ['https://git.example.com/a b', argocd, 'must be an address that begins with `https://`, `ssh://`'],
    [
      'https://me:secret@git.example.com/a',
      argocd,
      'holds a password, which would be in git: give the controller a Secret instead',
    ],
    ['https://git.example.com/', argocd, 'names no repository'],
    ['https://git.example.com/a?ref=main', argocd, 'must end with the path of the repository'],
  ])('%s is none', (text, takes, problem) => {
    expect(repositoryProblem(text, takes)).toBe(problem);
  });
});

describe('a folder', () => {
  it.each(['.', 'dist', 'infra/network/dist', 'a.b_c-d'])('%s', (text) => expect(folderProblem(text)).toBeUndefined());

  it.each([
    ['', 'must not be empty; the root of the repository is `.`'],
    ['/dist', 'must be relative to the root of the repository'],
    ['dist/', 'must not end with `/`'],
    ['../dist', 'must not have empty parts, `.` or `..`'],
    ['a//b', 'must not have empty parts, `.` or `..`'],
    ['./dist', 'must not have empty parts, `.` or `..`'],
    ['dist/*', 'must not have "*"'],
  ])('%j is none', (text, problem) => expect(folderProblem(text)).toBe(problem));
});
