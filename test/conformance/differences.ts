/**
 * The wanted differences from the operator, each with its reason. This table is their only definition: the comparison leaves out
 * exactly what its rows say, and docs/reference/operator-differences.md is generated from it.
 */

/** Objects by what they are; every given property must match. */
export interface ObjectPattern {
  readonly kinds?: readonly string[];
  readonly name?: RegExp;
  readonly label?: readonly [key: string, value: string];
}

/** Keys from the object down; `*` is every key of a map. */
export type FieldPath = readonly string[];

/** What a row makes the comparison do. */
export type Allowance =
  /** Our objects that have no counterpart. */
  | {
      readonly kind: 'extra';
      readonly objects: ObjectPattern;
    }
  /** Objects of the input, which are part of the output. */
  | { readonly kind: 'given'; readonly objects: ObjectPattern }
  /** A field that is compared on neither side; with `beside` only where the object has that field too. */
  | {
      readonly kind: 'ignored';
      readonly objects: ObjectPattern;
      readonly path: FieldPath;
      readonly keys?: RegExp;
      readonly beside?: FieldPath;
    }
  /** A field that the operator leaves out and we do not. */
  | { readonly kind: 'default'; readonly objects: ObjectPattern; readonly path: FieldPath; readonly value: string }
  /** Text that is compared as the JSON that it holds. */
  | { readonly kind: 'json'; readonly objects: ObjectPattern; readonly path: FieldPath }
  /** Text that is compared as the YAML that it holds. */
  | { readonly kind: 'yaml'; readonly objects: ObjectPattern; readonly path: FieldPath }
  /** We refuse an input with unknown fields, which the operator accepts. */
  | { readonly kind: 'unknown-fields' }
  /** We refuse, with this text, what the operator renders and the program that reads it refuses. */
  | { readonly kind: 'program-refuses'; readonly text: RegExp }
  /** We render what the webhook of the operator refuses with this text, and the program takes. */
  | { readonly kind: 'webhook-refuses'; readonly text: RegExp }
  /** What `gate: ready-file` changes, see gate.ts. */
  | { readonly kind: 'gate' };

export interface Difference {
  /** The cells of the row: first the operator's behaviour if the section has that column, then ours, then the reason. */
  readonly cells: readonly string[];
  readonly allowances?: readonly Allowance[];
  /** The test of a difference that no case shows. */
  readonly shownBy?: string;
}

export interface Section {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly Difference[];
  readonly remarks?: readonly string[];
}

const DRIVERS: ObjectPattern = { kinds: ['DaemonSet'], name: /^mofed-/ };
const NETWORKS: ObjectPattern = { kinds: ['NetworkAttachmentDefinition'] };
const COMPANION: ObjectPattern = {
  kinds: [
    'ServiceAccount',
    'Role',
    'RoleBinding',
    'ClusterRole',
    'ClusterRoleBinding',
    'ConfigMap',
    'Lease',
    'Job',
    'CronJob',
    'Service',
  ],
  label: ['weft.dev/component', 'companion'],
};

const objects: Section = {
  title: 'Objects that the operator does not make',
  head: ['what', 'why'],
  rows: [
    {
      cells: [
        'the Namespace, with the pod-security labels `privileged` and annotations against pruning',
        'driver pods are privileged: clusters that enforce pod security refuse them elsewhere. Deleting the Namespace would ' +
          'delete the drivers',
      ],
      allowances: [{ kind: 'extra', objects: { kinds: ['Namespace'] } }],
    },
    {
      cells: [
        'the CRDs of components in use with annotations against pruning; that of NetworkAttachmentDefinition with Multus, ' +
          "where the operator's chart has it",
        'deleting a CRD deletes every object of its kind, and a fresh cluster has no other source for them',
      ],
      allowances: [{ kind: 'extra', objects: { kinds: ['CustomResourceDefinition'] } }],
    },
    {
      cells: [
        "the NodeFeatureRule `nvidia-nics-rules` of the operator's chart, with annotations against pruning, where an object " +
          'selects by its label; on OpenShift in the API group `nfd.openshift.io`',
        'without it no node has the label `feature.node.kubernetes.io/pci-15b3.present`, and every DaemonSet that selects it ' +
          'loses its pods. `spec.nodeFeatureDiscovery.rules: false` leaves it out',
      ],
      allowances: [{ kind: 'extra', objects: { kinds: ['NodeFeatureRule'], name: /^nvidia-nics-rules$/ } }],
    },
    {
      cells: ['ConfigMaps of the input', 'they are part of the configuration, so they are committed with it'],
      allowances: [{ kind: 'given', objects: { kinds: ['ConfigMap'] } }],
    },
    {
      cells: [
        'objects of the companion, with the label `weft.dev/component: companion`',
        'the operator upgrades drivers itself; Weft renders the companion where it is needed',
      ],
      allowances: [{ kind: 'extra', objects: COMPANION }],
    },
  ],
};

const metadata: Section = {
  title: 'Metadata',
  head: ['operator', 'Weft', 'why'],
  rows: [
    {
      cells: [
        'owner references to the custom resource',
        'none',
        'there is no custom resource in the cluster; they are not recorded',
      ],
    },
    {
      cells: [
        'its own annotation for the revision of an object',
        'none',
        'only the operator reads it; it is not recorded',
      ],
    },
    {
      cells: ['`status`, as the API server fills it', 'none', 'it is not configuration; it is not recorded'],
    },
    {
      cells: [
        '-',
        'driver DaemonSets: annotations of Argo CD, Flux and Helm against pruning and deletion',
        'pruning a driver DaemonSet would end running drivers without a drain',
      ],
      allowances: [
        {
          kind: 'ignored',
          objects: DRIVERS,
          path: ['metadata', 'annotations'],
          keys: /^(?:argocd\.argoproj\.io|kustomize\.toolkit\.fluxcd\.io)\/|^helm\.sh\/resource-policy$/,
        },
      ],
    },
    {
      cells: [
        '-',
        'the ServiceAccount, roles and ConfigMaps of driver pods: the same annotations',
        'a driver DaemonSet that leaves the input stays with its pods, which need them when they start again',
      ],
      allowances: [
        {
          kind: 'ignored',
          objects: {
            kinds: ['ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding', 'ConfigMap'],
            name: /^(?:ofed-driver|ofed-init-container-config|ocp-network-operator-trusted-ca)$/,
          },
          path: ['metadata', 'annotations'],
          keys: /^argocd\.argoproj\.io\/sync-options$|^kustomize\.toolkit\.fluxcd\.io\/prune$|^helm\.sh\/resource-policy$/,
        },
      ],
    },
    {
      cells: [
        '-',
        'driver DaemonSets: `weft.dev/install-digest`, on the object and not on the pod template',
        'a change of it means that another driver is installed on a node; the companion compares it',
      ],
      allowances: [
        { kind: 'ignored', objects: DRIVERS, path: ['metadata', 'annotations'], keys: /^weft\.dev\/install-digest$/ },
      ],
    },
    {
      cells: [
        '-',
        '`ocp-network-operator-trusted-ca`: `kustomize.toolkit.fluxcd.io/ssa: IfNotPresent`',
        'OpenShift fills the ConfigMap; Flux must not empty it again',
      ],
      allowances: [
        {
          kind: 'ignored',
          objects: { kinds: ['ConfigMap'], name: /^ocp-network-operator-trusted-ca$/ },
          path: ['metadata', 'annotations'],
          keys: /^kustomize\.toolkit\.fluxcd\.io\/ssa$/,
        },
      ],
    },
  ],
};

const podTemplates: Section = {
  title: 'Pod templates',
  head: ['operator', 'Weft', 'why'],
  rows: [
    {
      cells: [
        'device plugins select `network.nvidia.com/operator.mofed.wait: "false"`',
        '`gate: ready-file` (default): the selector goes; where a driver of the input covers the nodes, an init container ' +
          '`ofed-driver-validation` of the pod’s own image waits for `/run/mellanox/drivers/.driver-ready`',
        'no controller runs all the time to change the label. `gate: label` keeps the operator’s selector',
      ],
      allowances: [{ kind: 'gate' }],
    },
    {
      cells: [
        '`nodeAffinity` in the policy drops the pod anti-affinity of the driver (its template has the key `affinity` ' +
          'twice)',
        'both are kept',
        'without the anti-affinity two drivers can run on one node',
      ],
      allowances: [
        {
          kind: 'ignored',
          objects: DRIVERS,
          path: ['spec', 'template', 'spec', 'affinity', 'podAntiAffinity'],
          beside: ['spec', 'template', 'spec', 'affinity', 'nodeAffinity'],
        },
      ],
    },
    {
      cells: [
        'the driver selects OS, version and kernel, and no architecture',
        'where the node pools have several architectures, every driver selects its `kubernetes.io/arch`, whatever the kernels ' +
          "are. With one architecture the selector is the operator's",
        'an image is for one architecture; a selector that came and went with the kernels of another pool would put it on ' +
          'nodes of the other',
      ],
      allowances: [
        {
          kind: 'ignored',
          objects: DRIVERS,
          path: ['spec', 'template', 'spec', 'nodeSelector', 'kubernetes.io/arch'],
        },
      ],
    },
    {
      cells: [
        'amd64 and arm64 pools with one OS version and kernel collide in name and selector',
        'those that are not amd64 get `-<arch>` in name, label and selector. Only where they would collide',
        'one DaemonSet cannot run two images',
      ],
      shownBy: 'src/compile/components/ofed-driver/golden/two-architectures.yaml',
    },
    {
      cells: [
        'one DaemonSet for each kernel that it sees',
        'for each kernel that a pool names; a pool without one gets a DaemonSet without kernel in name, label and selector',
        'kernels are configuration here; a fleet that changes its kernel often may prefer one DaemonSet',
      ],
      shownBy: 'src/compile/components/ofed-driver/golden/every-kernel.yaml',
    },
    {
      cells: [
        'init container from its own environment',
        '`spec.driver.initContainerImage`, else that of the release, else none',
        'there is no operator',
      ],
      shownBy: 'src/compile/components/ofed-driver/golden/images-of-the-release.yaml',
    },
    {
      cells: [
        "`config: ''` of Multus and of the device plugins gives them a file without text",
        'no configuration, as without the key',
        "upstream's documentation of Multus says so, and no program reads such a file",
      ],
      shownBy: 'src/compile/components/multus-cni/manifests.test.ts',
    },
    {
      cells: [
        "`privileged` in the pod's security context of Multus",
        'left out',
        'a pod has no such field, and strict validation refuses it; the container has it',
      ],
      allowances: [
        {
          kind: 'ignored',
          objects: { kinds: ['DaemonSet'], name: /^kube-multus-ds$/ },
          path: ['spec', 'template', 'spec', 'securityContext', 'privileged'],
        },
      ],
    },
    {
      cells: [
        'a variable or a pull secret that the policy names twice, or that the component sets itself, is in the pod twice',
        'once; of two variables the last one, which is the one that counts in the container',
        'server-side apply refuses two entries of one name',
      ],
      shownBy: 'src/compile/components/pod-parts.test.ts',
    },
  ],
};

const networks: Section = {
  title: 'Networks',
  head: ['operator', 'Weft', 'why'],
  rows: [
    {
      cells: [
        'JSON of the CNI configuration is concatenated as text, on one line',
        'it is built as data, on several lines',
        'a name or an IPAM that needs escaping cannot break it; a diff shows the field that changed',
      ],
      allowances: [{ kind: 'json', objects: NETWORKS, path: ['spec', 'config'] }],
    },
    {
      cells: ['white space inside strings of `ipam` is removed', 'kept', 'it is part of the value'],
      shownBy: 'src/compile/networks/cni/ipam.test.ts',
    },
    {
      cells: [
        'a HostDeviceNetwork without `networkNamespace` has no namespace',
        '`default`',
        'the API server refuses an object without one; the other networks go to `default` too',
      ],
      allowances: [{ kind: 'default', objects: NETWORKS, path: ['metadata', 'namespace'], value: 'default' }],
    },
  ],
};

const shared: Section = {
  title: 'Shared objects',
  head: ['operator', 'Weft', 'why'],
  rows: [
    {
      cells: [
        "objects that all policies share (ServiceAccount, RBAC, the init container's configuration) belong to the " +
          'NicNodePolicy that was reconciled last',
        'to the last policy by name',
        'the result must not depend on time. Where the policies disagree about the content, a warning says so ' +
          '([WEFT0218](../errors/WEFT0218.md))',
      ],
      shownBy: 'test/golden/shared-objects-of-node-policies',
    },
    {
      cells: [
        'a removed section leaves its objects in the cluster (a documented limitation)',
        'its files go, and the GitOps controller prunes the objects, driver DaemonSets, CRDs and the Namespace excepted',
        'the cluster has the objects that are in git',
      ],
      shownBy: 'test/cluster/pruned.test.ts',
    },
    {
      cells: [
        'the JSON in its ConfigMaps is text',
        'compared as data, so that spacing and the order of keys may differ',
        'the programs that read it parse it',
      ],
      allowances: [{ kind: 'json', objects: { kinds: ['ConfigMap'] }, path: ['data', '*'] }],
    },
  ],
  remarks: [
    'Three Deployments prefer nodes with the label `node-role.kubernetes.io/master` and with its successor, as the ' +
      "operator's do. The API server warns about the old one; without it their pods would restart on adoption, so it stays.",
    'The annotation that the init container waits for with `safeLoad` is ' +
      '`nvidia.com/ofed-driver-upgrade.driver-wait-for-safe-load`, as in a running operator, whose `main.go` sets the ' +
      "driver's name to `ofed`.",
  ],
};

const cluster: Section = {
  title: 'What the operator reads from the cluster',
  head: ['operator', 'Weft'],
  rows: [
    { cells: ['OS, OS version, kernel, architecture from node labels', '`spec.nodePools` of the Cluster'] },
    { cells: ['tags of precompiled drivers from the registry', '`spec.driver.precompiledTags`'] },
    {
      cells: [
        'keys of ConfigMaps from the API server',
        'a ConfigMap in the folder of the policy, or `spec.existingConfigMaps`',
      ],
    },
    { cells: ['the Driver Toolkit image from an ImageStream', '`spec.openshift.driverToolkitImages`'] },
    { cells: ['the cluster-wide proxy from `Proxy/cluster`', '`spec.openshift.proxy`'] },
    {
      cells: [
        'nodes that lack one of the labels are left out without a message',
        'a pool that lacks a field, `kernel` aside, is an error',
      ],
    },
  ],
};

const input: Section = {
  title: 'Input',
  head: ['operator', 'Weft', 'why'],
  rows: [
    {
      cells: [
        'unknown fields are dropped without a message; the last of duplicate keys counts',
        'errors',
        'a setting without an effect must not look valid',
      ],
      allowances: [{ kind: 'unknown-fields' }],
    },
    {
      cells: [
        'its admission webhook, which is off by default, checks the configurations of device plugins by rules of its own',
        'what a plugin refuses is an error, and what only the webhook refuses a warning: [by program](program-checks.md)',
        'the plugin would end, or works',
      ],
      allowances: [
        {
          kind: 'program-refuses',
          text: /`spec\.(?:rdmaShared|sriov)DevicePlugin\.config`: .*(?:must be letters|not have both)/,
        },
        { kind: 'webhook-refuses', text: /: (?:Invalid Resource |Must validate |vendors is required)/ },
      ],
    },
    {
      cells: [
        '`yes`, `on`, `0170`, `1_20` in YAML are booleans and numbers',
        'the same, as `kubectl apply` reads it; for a field of type text, an error',
        '',
      ],
    },
    {
      cells: [
        '`config`, `ipam` and `metaPlugins` are JSON in a string',
        "text, or an object. Text keeps its bytes, so that the hash in the device plugin's pod template is the operator's; " +
          'for an object it is that of its canonical JSON',
        'an object is checked field by field and reviewed line by line',
      ],
    },
    {
      cells: [
        'image references and `containerResources` are checked for some sections',
        'for all',
        'a mistake is found before the kubelet of every node finds it',
      ],
    },
    {
      cells: [
        '`containerResources` beside `certConfig` or `repoConfig` crashes its webhook; beside `forcePrecompiled` the name of ' +
          'the container is refused',
        'accepted where it is valid',
        '',
      ],
    },
    {
      cells: [
        'environment variables, tolerations, node affinity and probes are not checked; `binaryData` of ConfigMaps is ' +
          'checked by the API server',
        'values that the API server refuses in a pod are errors: a name with `=`, two sources, an unknown operator, a weight above ' +
          '100, invalid Base64',
        'the API server would refuse such a DaemonSet',
      ],
    },
    {
      cells: [
        'a `version` such as `1.0` of XPlane is written to an environment variable as a number, which the API server refuses',
        'text',
        'it is a version',
      ],
    },
  ],
};

export const SECTIONS: readonly Section[] = [objects, metadata, podTemplates, networks, shared, cluster, input];

/** What the comparison allows, over all rows. */
export const ALLOWANCES: readonly Allowance[] = SECTIONS.flatMap(({ rows }) =>
  rows.flatMap(({ allowances = [] }) => allowances),
);
