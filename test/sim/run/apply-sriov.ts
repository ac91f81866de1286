import type { GitSriov } from '../scenario/git.js';
import type { SriovIncident } from '../scenario/sriov.js';
import type { Simulation } from '../simulation.js';
import { changeGit } from './apply-incident.js';

/** What is done to the SR-IOV operator and its config daemons, and changes of its policies in git. */
export function applyToSriov(simulation: Simulation, incident: SriovIncident): void {
  const { cluster, git } = simulation;
  const { sriov } = cluster;
  if (sriov === undefined || git.sriov === undefined) return;
  const change = (to: Partial<GitSriov>): void =>
    git.sriov && changeGit(simulation, 0, { ...git, sriov: { ...git.sriov, ...to } });
  switch (incident.kind) {
    case 'sriov-change': {
      const { need, group } = incident;
      sriov.change(need, group === undefined ? {} : { group });
      return change({ change: git.sriov.change + 1 });
    }
    case 'sriov-daemon-dies':
      return sriov.restart(incident.node, incident.awayMs);
    case 'sriov-withdraws':
      return sriov.withdraw(incident.node);
    case 'sriov-fails':
      if (incident.how === 'not') sriov.failing.delete(incident.node);
      else sriov.failing.set(incident.node, incident.how);
      return;
    case 'sriov-slow':
      sriov.options = { ...sriov.options, workMs: incident.workMs };
      return;
    case 'sriov-pools':
      return change({ pools: incident.pools });
  }
}
