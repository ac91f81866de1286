import { Construct } from 'constructs';
import { isError, type Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { identityOf } from '../../shared/kubernetes/identity.js';
import { type MadeObject, madeObjects } from '../../shared/kubernetes/made-objects.js';
import { addedObjects, objectsOf, replaceObjects } from '../../shared/kubernetes/objects.js';
import type { PodWorkload } from '../../shared/kubernetes/pod-workload.js';
import { WEFT_API_VERSION } from '../model/cluster.js';
import type { ClusterPart, ClusterScope } from '../model/cluster-scope.js';
import type { Config, NodePool } from '../model/config.js';
import { poolCoverage, type PoolCoverage } from '../coverage/pool-coverage.js';
import { coverageWarnings } from '../coverage/warnings.js';
import type { ClusterSpecInput, InputDocument } from '../model/input.js';
import { ClusterObjects } from './cluster-objects.js';
import { findCollisions } from './collisions.js';
import { placedObjects } from './folder.js';
import { buildPart } from './parts/build-part.js';
import {
  configMapsOf,
  documentPlace,
  type NamedUse,
  otherNamespace,
  partPlace,
  takeObjects,
} from './parts/named-objects.js';
import type { AddOnComponents } from './policy-components.js';
import { createParts, elsewhereThan, type DocumentPart, type Parts } from './parts/parts.js';
import { patchDiagnostics } from './patches/diagnostics.js';
import { PatchError } from './patches/patches.js';
import { buildComponents, type NicClusterPolicy, type PolicyBuild } from './policies.js';
import { asSource, sourceAt } from './parts/typed-documents.js';
import { useProblems } from './uses.js';

/** The props of a `Cluster`. */
export interface ClusterProps {
  /**
   * Name of the cluster, if there is no Cluster document.
   *
   * @default the id of the construct
   */
  readonly name?: string;
  /**
   * The properties of the cluster: the `spec` of a Cluster document.
   *
   * @default that of the Cluster document among `documents`
   */
  readonly spec?: ClusterSpecInput;
  /**
   * Documents, the same that `weft synth` reads from the folder of a cluster.
   *
   * @default none: policies and networks are constructs of their own
   */
  readonly documents?: readonly InputDocument[];
}

/**
 * A cluster: the objects of its documents, and the owner of the constructs that get it as `cluster`. It also creates
 * the namespace of the drivers, CustomResourceDefinitions and add-ons. When the chart is validated, the rules look at
 * all documents and constructs together, as for `weft synth`.
 */
export class Cluster extends Construct implements ClusterScope {
  /** The components of the NicClusterPolicy among `documents`. */
  readonly policy: NicClusterPolicy;
  /** The add-ons whose sections are in `spec`, each by its key: `cluster.addOns.whereabouts`. */
  readonly addOns: AddOnComponents;
  /** The node pools: one for each kernel. */
  readonly pools: readonly NodePool[];
  /** Namespace of the drivers. */
  readonly namespace: string;
  private readonly parts: Parts;
  private readonly objects: ClusterObjects;
  private readonly constructs: Construct[] = [];
  /** Of the objects of the cluster and its constructs: policies share some of them. */
  private readonly identities: Set<string>;
  private readonly workloads = new Set<PodWorkload>();
  /** The program's objects to which its documents and constructs refer. */
  private uses: readonly NamedUse[] = [];
  private checked: ReturnType<Parts['check']> | undefined;
  /** The problems of the patches and of the objects, once the objects are complete. */
  private patched: readonly Diagnostic[] | undefined;

  /** @throws InvalidConfigError when a document has an error that does not depend on others. */
  constructor(scope: Construct, id: string, props: ClusterProps) {
    super(scope, id);
    const { name = id, spec, documents = [] } = props;
    const document = { apiVersion: WEFT_API_VERSION, kind: 'Cluster', metadata: { name }, spec };
    const { path } = this.node;
    const written = [...(spec === undefined ? [] : [sourceAt(path, document)]), ...documents.map(asSource)];
    const taken = written.map((source) => ({ ...source, ...takeObjects(source.value, documentPlace(source)) }));
    this.uses = taken.flatMap(({ uses }) => uses);
    const configMaps = (namespace: string) => configMapsOf(this.uses, namespace);
    const problems = taken.flatMap((one) => one.problems);
    const parts = createParts({ place: path, documents: taken, configMaps, problems });
    this.parts = parts;
    this.pools = parts.config.cluster.pools;
    this.namespace = parts.config.cluster.namespace;
    this.objects = new ClusterObjects(this, 'objects', parts.config, this);
    this.policy = this.objects.policy;
    this.addOns = this.objects.addOns.buildWritten(parts.config, this.objects.served([])) as unknown as AddOnComponents;
    this.identities = new Set(addedObjects(this).map(identityOf));
    for (const { object } of this.uses) this.objects.addDependency(object);
    this.node.addValidation({ validate: () => this.messages((file) => !this.isOfPart(file)) });
  }

  /** The CustomResourceDefinitions of its components and add-ons so far. */
  get crds(): readonly MadeObject[] {
    return madeObjects(this.objects.definitions);
  }

  /** All diagnostics about the current documents and constructs, warnings included. */
  get diagnostics(): readonly Diagnostic[] {
    this.checked = undefined;
    return this.found();
  }

  /**
   * The table of coverage: for each node pool and each component or add-on, whether its nodes get a pod, and why not. Of the current constructs;
   * with the effect of patches once the chart was validated. Empty while there are errors.
   */
  get coverage(): readonly PoolCoverage[] {
    this.checked = undefined;
    const { config } = this.check();
    return config ? poolCoverage(config, [this, ...this.constructs].flatMap(placedObjects)) : [];
  }

  /** Adds a construct's part of the configuration. The constructs of this library call it. */
  add(part: ClusterPart): void {
    if (this.patched) throw new Error(`${this.node.path} was validated already; make its constructs before that`);
    this.checked = undefined;
    if (part.kind === 'use') {
      this.addWorkload(part.workload);
      return;
    }
    const config = this.addPart(part);
    this.objects.definitions.addOf(config);
    buildPart(part, config, this.identities, () => this.objects.served(this.constructs));
    this.addConstruct(part);
    if (part.kind === 'add-on') this.objects.addOns.take(part.addOnId, part.construct);
  }

  /** The configuration with the part, and with the objects of the program that it refers to. */
  private addPart(part: DocumentPart): Config {
    const { value: values, uses, problems } = takeObjects(part.values, partPlace(part));
    const before = this.uses;
    this.uses = [...before, ...uses];
    try {
      const config = this.parts.add({ ...part, values }, problems);
      for (const { object } of uses) part.construct.node.addDependency(object);
      return config;
    } catch (error) {
      this.uses = before;
      throw error;
    }
  }

  private addConstruct({ construct }: DocumentPart): void {
    const { path } = construct.node;
    construct.node.addValidation({ validate: () => this.messages((file) => file === path) });
    this.constructs.push(construct);
    for (const object of addedObjects(construct)) this.identities.add(identityOf(object));
  }

  private addWorkload(workload: PodWorkload): void {
    if (this.workloads.has(workload)) return;
    this.workloads.add(workload);
    const { node } = workload.object;
    node.addValidation({ validate: () => this.messages((file) => file === node.path) });
  }

  private isOfPart(file: string): boolean {
    return [...this.constructs, ...[...this.workloads].map(({ object }) => object)].some(
      ({ node }) => node.path === file,
    );
  }

  private messages(isMeant: (file: string) => boolean): string[] {
    this.complete();
    return this.found()
      .filter((one) => isError(one) && isMeant(one.location?.file ?? ''))
      .map(({ code, message, help }) => `error[${code}]: ${message}${help === undefined ? '' : ` (help: ${help})`}`);
  }

  private found(): readonly Diagnostic[] {
    return [...this.check().diagnostics, ...(this.patched ?? [])];
  }

  private check(): ReturnType<Parts['check']> {
    if (this.checked) return this.checked;
    const { config, diagnostics } = this.parts.check();
    const uses = config ? [...this.workloads].flatMap((workload) => useProblems(config, workload)) : [];
    const elsewhere = otherNamespace(this.uses, this.namespace);
    // The rules know one namespace, so for them such an object does not exist.
    const all = [...elsewhereThan(elsewhere, diagnostics), ...elsewhere, ...uses];
    this.checked = { ...(config && !all.some(isError) && { config }), diagnostics: all };
    return this.checked;
  }

  /**
   * Builds the components again, now from the whole configuration, and fills their objects. A tree of their own, because a
   * component builds the objects of all its policies together, and here each policy has its part of them.
   */
  private fill(config: Config): void {
    if (this.constructs.length + this.uses.length === 0) return;
    const built: PolicyBuild = { config, builds: () => true };
    const objects = objectsOf((scope) => buildComponents(scope, built, () => true, { add: () => undefined }));
    replaceObjects([this, ...this.constructs], objects);
  }

  /** Completes the objects from the whole configuration, once, if there is no error. */
  private complete(): void {
    const { config } = this.check();
    if (!config || this.patched) return;
    this.fill(config);
    try {
      const warnings = this.objects.complete(config, this.constructs);
      const objects = [this, ...this.constructs].flatMap(placedObjects);
      const found = [...findCollisions(config, objects), ...coverageWarnings(config, objects)];
      this.patched = [...patchDiagnostics(config, warnings), ...found];
      this.objects.annotate(config, this.constructs);
    } catch (error) {
      if (!(error instanceof PatchError)) throw error;
      this.patched = patchDiagnostics(config, error.problems);
    }
  }
}
