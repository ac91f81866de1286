import type { CodeInfo, Diagnostic, Severity } from './diagnostic.js';
import { ruleCodes } from './rule-codes.js';

const error = (title: string): CodeInfo => ({ title, severity: 'error' });
const warning = (title: string): CodeInfo => ({ title, severity: 'warning' });

/**
 * Every code, in one place. 1 to 49: reading text and files; 50 to 59: finding the input and
 * writing the output; 60 to 69: nodes of a live cluster, and programs that are not run; 70 to 79:
 * what is committed; 100 to 139: documents; 140 to 149: fields; 200 to 229: one
 * section; 230 to 299 and 310 to 339: documents that must agree; 360 to 369: secrets;
 * 390 to 409: commands that reach a live cluster; 450 to 469: how the output is applied; 520 to 539:
 * programs that use the library; 560 to 569: `weft import`.
 */
const registered = {
  ...ruleCodes,
  WEFT0001: error('the text is not valid YAML'),
  WEFT0002: error('a key appears twice in one mapping'),
  WEFT0003: error('a YAML tag cannot be used here'),
  WEFT0004: error('an alias names no anchor above it'),
  WEFT0005: error('aliases expand to too much'),
  WEFT0006: error('the document is nested too deeply'),
  WEFT0007: error('the text holds a character that YAML does not allow'),
  WEFT0008: error('the value has no form in JSON'),
  WEFT0009: error('the key is not text'),
  WEFT0010: error('a merge key needs a mapping'),
  WEFT0011: error('the document is too large'),
  WEFT0012: error('a document is not a mapping'),
  WEFT0020: error('the folder cannot be read'),
  WEFT0021: error('the folder holds no documents'),
  WEFT0023: error('the file cannot be read'),
  WEFT0024: error('the file is too large'),
  WEFT0025: error('the file is not UTF-8 text'),
  WEFT0026: error('the TypeScript file cannot be loaded'),
  WEFT0027: error('an exported document is not plain data'),
  WEFT0028: error('the TypeScript file exports no document'),
  WEFT0029: error('the folder holds too much'),
  WEFT0030: error('a weft-ignore comment names no code'),
  WEFT0031: error('a weft-ignore comment has no reason'),
  WEFT0032: error('a weft-ignore comment names a code that does not exist'),
  WEFT0033: warning('a weft-ignore comment silences nothing'),
  WEFT0034: warning('a weft-ignore comment names an error'),
  WEFT0035: error('a folder inside holds input, and is not read'),
  WEFT0036: error('a file looks like input, and is not read'),
  WEFT0037: warning('a kustomization is not read'),
  WEFT0038: warning('a comment is almost a weft-ignore comment'),
  WEFT0039: error('a document lies beside the folders of the clusters'),
  WEFT0040: warning('more problems were found than are shown'),
  WEFT0041: error('the TypeScript file does not end'),
  WEFT0042: error('the TypeScript file needs too much memory'),
  WEFT0043: error('the TypeScript file ends the process'),
  WEFT0044: error('a symbolic link is not followed'),
  WEFT0045: error('the output holds what Weft did not write'),
  WEFT0046: error('a base lies outside of the project'),
  WEFT0047: error('bases extend each other in a circle'),
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
  WEFT0064: error('a program is not run'),
  WEFT0066: error('a list of the cluster does not end'),
  WEFT0070: error('the output is stale'),
  WEFT0071: warning('a folder of the output belongs to no cluster'),
  WEFT0072: error('an object of the output has a field of a wrong type'),
  WEFT0073: error('the output of a cluster that is left behind is not that of its version'),
  WEFT0074: error('another version of Weft renders the cluster'),
  WEFT0075: error('pins of images cannot be read'),
  WEFT0076: error('an image has no pin'),
  WEFT0077: error('a pin of an image is out of date'),
  WEFT0100: error('a document has no apiVersion and kind'),
  WEFT0101: error('a document is of a kind that Weft does not read'),
  WEFT0102: error('two documents have the same kind and name'),
  WEFT0103: error('there is no Cluster document'),
  WEFT0104: error('there are several Cluster documents'),
  WEFT0105: error('a Secret is in the input'),
  WEFT0106: error('a key cannot be used'),
  WEFT0108: error('a document is of the kind for a base, or for a cluster'),
  WEFT0109: error('a key is missing that a base requires'),
  WEFT0110: error('a document removes nothing'),
  WEFT0140: error('a key is unknown'),
  WEFT0141: error('a required key is missing'),
  WEFT0142: error('a value has the wrong type'),
  WEFT0144: warning('a section is empty and ignored'),
  WEFT0145: warning('a key in JSON text is misspelt, or in the wrong place'),
  WEFT0243: error('a document has the name of an object that a component makes'),
  WEFT0244: error('a patch changes nothing or does not fit'),
  WEFT0245: warning('a patch writes a field that the type does not have'),
  WEFT0246: warning('a patch adds a container whose name is almost that of another'),
  WEFT0277: error('a patch changes what other programs delete, deliver or upgrade an object by'),
  WEFT0278: error('a patch has a directive that it cannot have'),
  WEFT0280: error('the namespace changes while drivers run'),
  WEFT0290: warning('pods of a node pool can have no further network'),
  WEFT0291: warning('what labels nodes does not reach a node pool'),
  WEFT0292: warning('a node pool has neither driver nor device plugin'),
  WEFT0302: warning('a driver does not tolerate the taint of a pool'),
  WEFT0305: warning('a device plugin does not tolerate the taint of a pool'),
  WEFT0315: warning('a cluster has no policy'),
  WEFT0316: warning('a file has no documents'),
  WEFT0327: warning('a text has a typographic quote'),
  WEFT0328: warning('a variable, a template or a placeholder is not filled in'),
  WEFT0329: error('a file is a template that is not rendered'),
  WEFT0350: warning('NIC nodes lack the label of the rule'),
  WEFT0390: error('kubectl cannot be started'),
  WEFT0391: error('the cluster does not answer'),
  WEFT0392: error('there is no upgrade policy in the cluster'),
  WEFT0393: error('the live cluster is not the one of the Cluster document'),
  WEFT0394: error('a change to a live cluster is not confirmed'),
  WEFT0398: error('a takeover cannot begin'),
  WEFT0410: error('the nodes of one cluster are given for several'),
  WEFT0411: error('a file has no nodes'),
  WEFT0412: warning('objects of the live cluster cannot be listed'),
  WEFT0413: error('there are no objects on standard input'),
  WEFT0440: error('no node is named, or none matches'),
  WEFT0441: error('a command does not fit the drivers of the policy'),
  WEFT0442: error('there is no pod of the companion'),
  WEFT0445: error('there is no upgrade to plan'),
  WEFT0446: error('a plan cannot be made of what is given'),
  WEFT0451: error('clusters of one ApplicationSet have different settings'),
  WEFT0455: error('a cluster is in no wave of its ApplicationSet'),
  WEFT0520: error('a program gives a policy or a section twice'),
  WEFT0521: error('a container that should ask for a resource is not there'),
  WEFT0522: error('no device plugin of the cluster offers what a workload asks for'),
  WEFT0523: error('a workload selects no node that has its resource'),
  WEFT0524: error('a workload does not ask for the resource of its network'),
  WEFT0525: error('a workload and its network are in namespaces that Multus keeps apart'),
  WEFT0526: error('an attachment of a workload is not valid'),
  WEFT0527: error('an object that a policy names is in another namespace'),
  WEFT0530: error('a field gets an object of a kind that it does not name'),
  WEFT0285: error('the operator is older than the releases that Weft renders'),
  WEFT0560: warning('a part of the cluster is not carried over'),
  WEFT0561: error('the operator has templates of its own'),
  WEFT0562: error('there is nothing to import'),
  WEFT0563: error('a file cannot be imported'),
  WEFT0564: warning('a part of the cluster is not known'),
  WEFT0565: error('there is no release of the operator’s chart'),
  WEFT0567: error('the operator is not in one place'),
  WEFT0568: error('the chart has too many values'),
  WEFT0570: warning('the values are those of a chart that is not supported any more'),
  WEFT0571: warning('most values of the chart are not carried over'),
  WEFT0592: error('an image has nothing for the architecture of a pool'),
} as const satisfies Readonly<Record<string, CodeInfo>>;

/** A registered code. */
export type Code = keyof typeof registered;

/** Title and severity of every code, for a text that may be one. */
export const codes: Readonly<Record<string, CodeInfo>> = registered;

export function severityOf(code: Code): Severity {
  return registered[code].severity;
}

/** A diagnostic without what its code says. */
export type Parts = Pick<Diagnostic, 'message'> & {
  readonly [Key in Exclude<keyof Diagnostic, 'code' | 'severity' | 'message'>]?: Diagnostic[Key] | undefined;
};

/** A diagnostic, with the severity of its code; parts that are `undefined` are left out. */
export function diagnostic(code: Code, parts: Parts): Diagnostic {
  const given = Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
  return { code, severity: severityOf(code), ...(given as Pick<Diagnostic, 'message'>) };
}
