import { spawnSync } from 'node:child_process';

/** Why no node can run here; undefined if one can. */
export function nodeObstacle(): string | undefined {
  if (process.platform !== 'linux') return 'this is not Linux';
  if (process.getuid?.() !== 0) return 'only root can run containers';
  const programs = ['containerd', 'ctr', 'runc', 'ip', 'unshare', 'nsenter', 'busybox'];
  const missing = programs.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);
  return missing.length === 0 ? undefined : `missing programs: ${missing.join(', ')}`;
}
