import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledForCompanion } from '../../../scripts/build-companion.js';
import { runWeft } from '../../kit/run-weft.js';
import { COMPANION_COMPONENT, COMPONENT_LABEL } from '../../../src/shared/contract/labels.js';
import type { UpgradePolicyInput } from '../../../src/shared/contract/upgrade-policy.js';
import { clusterText, policyText } from '../../golden/compile.js';
import type { LiveObject } from '../bed/api-client.js';

export const KERNEL = '6.8.0-31-generic';
/** Driver versions, one after the other. */
export const VERSIONS = [
  'doca3.2.0-25.10-1.2.8.0-2',
  'doca3.3.0-26.01-1.0.0.0-0',
  'doca3.4.0-26.04-1.0.0.0-0',
] as const;

type DriverInput = Extract<UpgradePolicyInput['drivers'][number], { kind: 'ofed' }>;

/** The settings of a cluster's driver in its documents. */
export interface BedInput {
  readonly version: string;
  readonly upgradePolicy: DriverInput['policies'][number]['upgradePolicy'];
  /** `spec.upgrade` of the Cluster document. */
  readonly upgrade?: NonNullable<UpgradePolicyInput['rollout']> & {
    readonly paused?: boolean;
    readonly drainer?: 'MaintenanceOperator';
  };
  /** `spec.companion` of the Cluster document. */
  readonly companion?: object;
  /** `spec.gitops` of the Cluster document. */
  readonly gitops?: object;
  /** Whether the DaemonSet is for one kernel. The other value gives it another name. Default: true. */
  readonly isPinned?: boolean;
  /** Kernels of the pool, each of which has a DaemonSet. Default: the one of the nodes. */
  readonly kernels?: readonly string[];
  /** `spec.driver` of the Cluster document. */
  readonly driver?: { readonly gate?: 'ready-file' | 'label'; readonly uninstall?: boolean };
  /** `spec.gpuDriver` of the Cluster document. */
  readonly gpuDriver?: object;
  /** `spec.sriovNetworkOperator` of the Cluster document. */
  readonly sriovNetworkOperator?: object;
  /** `spec.maintenanceOperator` of the Cluster document. */
  readonly maintenanceOperator?: object;
  /** Documents beside the Cluster and its policy. */
  readonly objects?: readonly object[];
  /** Whether the policy has the section `ofedDriver`. Default: true. */
  readonly hasDriver?: boolean;
}

let program: Promise<string> | undefined;

/** Documents with these settings, in a new folder. */
export function writeInput(folder: string, input: BedInput): string {
  const { version, upgradePolicy, upgrade = {}, companion = {}, gitops = {}, driver = {} } = input;
  const { gpuDriver, sriovNetworkOperator, maintenanceOperator } = input;
  const sections = { gpuDriver, sriovNetworkOperator, maintenanceOperator };
  const more = Object.entries(sections).flatMap(([key, section]) =>
    section === undefined ? [] : [`  ${key}: ${JSON.stringify(section)}\n`],
  );
  const { isPinned = true, kernels = [KERNEL], hasDriver = true } = input;
  const cluster = `  release: v26.7
  nodeFeatureDiscovery: {rules: false}
  nodePools:
    - {name: nodes, osName: ubuntu, osVersion: "24.04", arch: amd64${isPinned ? `, kernels: [${kernels.join(', ')}]` : ''}}
  driver: ${JSON.stringify(driver)}
  upgrade: ${JSON.stringify(upgrade)}
  companion: ${JSON.stringify(companion)}
  gitops: ${JSON.stringify(gitops)}
${more.join('')}`;
  const ofed = hasDriver ? `  ofedDriver: ${JSON.stringify({ version, upgradePolicy })}\n` : '';
  return writeDocuments(folder, {
    'cluster.yaml': clusterText(cluster),
    'policy.yaml': policyText('NicClusterPolicy', 'nic-cluster-policy', `${ofed}  rdmaSharedDevicePlugin: {}\n`),
    ...Object.fromEntries((input.objects ?? []).map((object, at) => [`object-${at}.yaml`, JSON.stringify(object)])),
  });
}

function writeDocuments(folder: string, files: Readonly<Record<string, string>>): string {
  const documents = mkdtempSync(join(folder, 'input-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(documents, name), text);
  return documents;
}

/** The output of `weft synth -o json` for these documents. */
export function synthesizedFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<readonly LiveObject[]> {
  return synthesized(folder, writeDocuments(folder, files));
}

/** The output of `weft synth -o json` for a folder of documents, with the companion's program. */
export async function synthesized(folder: string, documents: string): Promise<readonly LiveObject[]> {
  program ??= bundledForCompanion('src/companion/runtime/main.ts');
  const text = await program;
  const printed = await runWeft(['synth', documents, '-o', 'json'], {
    readCompanionProgram: () => text,
    cwd: folder,
  });
  if (printed.exit !== 0) throw new Error(`weft synth: ${printed.stderr}`);
  return (JSON.parse(printed.stdout) as { readonly items: readonly LiveObject[] }).items;
}

/** Whether an object is the companion's Job or CronJob. */
export function isRun({ kind, metadata }: LiveObject): boolean {
  return (kind === 'Job' || kind === 'CronJob') && metadata.labels?.[COMPONENT_LABEL] === COMPANION_COMPONENT;
}
