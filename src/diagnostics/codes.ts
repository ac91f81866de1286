import { loadCodes } from './load-codes.js';
import type { Severity } from './diagnostic.js';

/** Title and severity of a code. */
interface CodeInfo {
  readonly title: string;
  readonly severity: Severity;
  /** Whether a run over several clusters shows it once: it is about what Weft renders, not about one input. */
  readonly isOncePerRun?: boolean;
}

const error = (title: string): CodeInfo => ({ title, severity: 'error' });
const warning = (title: string): CodeInfo => ({ title, severity: 'warning' });
const warningOfRun = (title: string): CodeInfo => ({ ...warning(title), isOncePerRun: true });

/**
 * Every code, in one place. 1 to 49: reading text and files; 50 to 59: finding the input and
 * writing the output; 60 to 69: nodes of a live cluster; 70 to 79:
 * what is committed; 100 to 139: documents; 140 to 149: fields; 200 to 229: one
 * section; 230 to 279 and 310 to 329: documents that must agree;
 * 390 to 409: the companion by hand; 450 to 469: how the output is applied; 520 to 539:
 * programs that use the library.
 */
export const codes: Readonly<Record<string, CodeInfo>> = {
  ...Object.fromEntries(Object.values(loadCodes).map(({ code, title }) => [code, error(title)])),
  WEFT0030: error('a weft-ignore comment names no code'),
  WEFT0031: error('a weft-ignore comment has no reason'),
  WEFT0032: error('a weft-ignore comment names a code that does not exist'),
  WEFT0033: warning('a weft-ignore comment silences nothing'),
  WEFT0034: warning('a weft-ignore comment names an error'),
  WEFT0037: warning('a kustomization is not read'),
  WEFT0038: warning('a comment is almost a weft-ignore comment'),
  WEFT0039: error('a document lies beside the folders of the clusters'),
  WEFT0040: warning('there is more to say than is shown'),
  WEFT0050: error('there is no folder clusters'),
  WEFT0051: error('the folder clusters has no folders'),
  WEFT0052: error('two clusters have the same name'),
  WEFT0053: error('a list is wanted of several clusters'),
  WEFT0054: error('something is in the way of the output'),
  WEFT0055: error('another run is writing'),
  WEFT0056: error('the index of the output is broken'),
  WEFT0057: error('the output cannot be written'),
  WEFT0058: error('there is nothing to compare with'),
  WEFT0059: error('the old output cannot be read'),
  WEFT0060: error('there are no nodes on standard input'),
  WEFT0061: error('the nodes of one cluster are compared with several'),
  WEFT0062: warning('NIC nodes are left out'),
  WEFT0063: warning('no node has a NIC'),
  WEFT0070: error('the output is stale'),
  WEFT0071: warning('a folder of the output is of no cluster'),
  WEFT0100: error('a document has no apiVersion and kind'),
  WEFT0101: error('a document is of a kind that Weft does not read'),
  WEFT0102: error('two documents have the same kind and name'),
  WEFT0103: error('there is no Cluster document'),
  WEFT0104: error('there are several Cluster documents'),
  WEFT0105: error('a Secret is in the input'),
  WEFT0106: error('a key cannot be used'),
  WEFT0107: warning('a kind is almost one that is known'),
  WEFT0140: error('a key is unknown'),
  WEFT0141: error('a required key is missing'),
  WEFT0142: error('a value has the wrong type'),
  WEFT0143: error('a value is not allowed'),
  WEFT0144: warning('a section is empty and ignored'),
  WEFT0145: warning('a key in JSON text is almost one that is known'),
  WEFT0200: error('an image is not complete'),
  WEFT0201: error('an image reference is not valid'),
  WEFT0202: error('containerResources names a container that the component does not have'),
  WEFT0203: error('containerResources has an amount that is not allowed'),
  WEFT0210: error('the driver version is not valid'),
  WEFT0211: error('safeLoad needs autoUpgrade'),
  WEFT0212: error('a ConfigMap that the driver mounts is not known'),
  WEFT0213: error('an OS has no directory for certificates or repositories'),
  WEFT0214: error('a precompiled driver is required and not known'),
  WEFT0215: error('the OpenShift Driver Toolkit image of a pool is not known'),
  WEFT0216: error('pools that share a driver DaemonSet differ'),
  WEFT0217: error('a pool without a kernel covers another pool'),
  WEFT0218: warning('policies disagree about an object that they share'),
  WEFT0219: error('certConfig and repoConfig name the same ConfigMap'),
  WEFT0220: error('a ConfigMap that the driver mounts has a name that no volume can have'),
  WEFT0221: error('a pool gives its driver DaemonSet a name that Kubernetes refuses'),
  WEFT0222: warning('a label selector of the upgrade policy cannot be read'),
  WEFT0223: warning('a PCI id has a form that no device has'),
  WEFT0230: error('a NicClusterPolicy has another name than the one that is reconciled'),
  WEFT0231: error('the name of a NicNodePolicy is too long'),
  WEFT0232: error('two NicNodePolicies select the same nodes'),
  WEFT0233: error('a NicNodePolicy has a section that the NicClusterPolicy has too'),
  WEFT0234: warning('a NicNodePolicy selects no pool'),
  WEFT0235: error('the driver covers some of the nodes of a gated component only'),
  WEFT0236: warningOfRun('nothing keeps the label that the driver gate selects'),
  WEFT0237: error('node pools contradict each other'),
  WEFT0238: warning('a driver has no pool to run on'),
  WEFT0239: error('two networks become one NetworkAttachmentDefinition'),
  WEFT0240: error('the release is unknown'),
  WEFT0241: warning('a setting of the companion has no effect'),
  WEFT0243: error('a document has the name of an object that a component makes'),
  WEFT0244: error('a patch changes nothing or does not fit'),
  WEFT0245: warning('a patch writes a field that the type does not have'),
  WEFT0246: warning('a patch adds a container whose name is almost that of another'),
  WEFT0260: error('a resource is offered twice on one node'),
  WEFT0261: error('a release or a component needs a newer Kubernetes or OpenShift'),
  WEFT0262: error('a component of an older release cannot run with the templates of today'),
  WEFT0263: warning('an IPAM names a pool that no document defines'),
  WEFT0264: warning('no device plugin offers the resource of a network'),
  WEFT0265: warning('networks need a CNI program that the input does not install'),
  WEFT0266: warning('an API that a component needs is not in the input'),
  WEFT0267: warning('safeLoad has no init container'),
  WEFT0268: warning('the driver is not known to support the system of a pool'),
  WEFT0269: warning('a ConfigMap that a device plugin mounts is not in the input'),
  WEFT0272: warning('XPlane has no version and is left out'),
  WEFT0273: warning('containerResources of XPlane have no effect'),
  WEFT0274: warning('the type of an IPAM is almost one that is known'),
  WEFT0275: warning('the OS version of a node pool looks misspelt'),
  WEFT0276: warning('the validation waits for a resource that no device plugin offers'),
  WEFT0277: error('a patch changes the install digest of a driver'),
  WEFT0278: error('a patch has a directive that it cannot have'),
  WEFT0279: warning('an object is deleted with an owner that may not be there'),
  WEFT0330: warning('no schedule where later work needs one'),
  WEFT0350: warning('NIC nodes lack the label of the rule'),
  WEFT0390: error('kubectl cannot be started'),
  WEFT0391: error('the cluster does not answer'),
  WEFT0392: error('there is no upgrade policy in the cluster'),
  WEFT0440: error('no node is named, or none matches'),
  WEFT0441: error('the driver that a command is for is not clear'),
  WEFT0442: error('there is no pod of the companion'),
  WEFT0310: warning('the release is a pre-release'),
  WEFT0311: warning('an image is of a staging registry'),
  WEFT0312: error('the OS of a node pool is misspelt'),
  WEFT0313: warning('a ConfigMap that the driver mounts has no keys'),
  WEFT0314: warning('labels of a network have no effect'),
  WEFT0315: warning('a cluster has no policy'),
  WEFT0316: warning('a file has no documents'),
  WEFT0520: error('a program gives a policy or a section twice'),
  WEFT0521: error('a container that should ask for a resource is not there'),
  WEFT0522: error('no device plugin of the cluster offers what a workload asks for'),
  WEFT0523: error('a workload selects no node that has its resource'),
  WEFT0524: error('a workload does not ask for the resource of its network'),
  WEFT0525: error('a workload and its network are in namespaces that Multus keeps apart'),
  WEFT0526: error('an attachment of a workload is not valid'),
  WEFT0527: error('an object that a policy names is in another namespace'),
  WEFT0480: error('an add-on has no image'),
  WEFT0481: error('an add-on is deployed that OpenShift brings'),
  WEFT0482: warning('a selector has a label that no program sets'),
  WEFT0483: warning('a section of an older policy turns on an add-on'),
  WEFT0484: error('Kubernetes does not have a version of its API any more, or not yet'),
  WEFT0485: error('Kubernetes has no such kind'),
  WEFT0487: error('a selector does not select the pods of its template'),
  WEFT0410: error('the nodes of one cluster are given for several'),
  WEFT0411: error('a file has no nodes'),
  WEFT0450: error('two controllers are to apply the output'),
  WEFT0451: error('clusters of one ApplicationSet have different settings'),
  WEFT0452: error('a Kustomization would have too long a name'),
  WEFT0453: error('a destination is given where a folder names it'),
  WEFT0454: error('a cluster has the name of the folder of the fleet'),
};

/** Title and severity of a code. An unregistered code is our bug. */
export function codeInfo(code: string): CodeInfo {
  const info = codes[code];
  if (!info) throw new Error(`the diagnostic code ${code} is not registered in src/diagnostics/codes.ts`);
  return info;
}
