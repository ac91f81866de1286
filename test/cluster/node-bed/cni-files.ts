import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { RealNode } from './node.js';

/** The guide that lists the files which Multus and the CNI plugins leave on a node, and has the step that removes them. */
export const REMOVAL_GUIDE = 'docs/guide/applying.md';
/** The image of that step. */
export const REMOVAL_IMAGE = 'docker.io/library/busybox:1.37.0';

/** The files of CNI that were written on a machine. */
export function cniFiles(node: RealNode): readonly string[] {
  return ['/opt/cni', '/etc/cni', '/var/lib/cni', '/var/log']
    .flatMap((path) => node.written(path))
    .map((path) => `/${relative(join(node.folder, 'written'), path)}`)
    .filter((path) => !/^\/var\/log\/(?:containers|pods)\//.test(path))
    .sort();
}

/** Whether a path is one of those that the guide lists. */
export function isListedInGuide(path: string): boolean {
  const [, section = ''] = readFileSync(REMOVAL_GUIDE, 'utf8').split('## Removing Multus');
  const listed = [...section.matchAll(/`(\/(?:opt|etc|var)\/\S+)`/g)].map(([, text = '']) => text);
  return listed.some((text) => {
    const pattern = text
      .replace(/<network>/, '[^/]+')
      .replaceAll('.', '\\.')
      .replaceAll('*', '[^/]*');
    return new RegExp(`^${pattern}${text.endsWith('/') ? '' : '$'}`).test(path);
  });
}
