import { sha256 } from '../lib/hash.js';
import { isBelow } from '../kubernetes/image-reference.js';
import { MIRROR_ANNOTATION_PREFIX, OFED_INIT_CONTAINER } from './labels.js';
import { canonicalJson, type JsonObject, type JsonValue } from '../lib/json.js';

type Source = Readonly<Record<string, unknown>>;

/** The fields of a container that the digest reads; other fields are ignored. */
interface ContainerLike {
  readonly name?: string | undefined;
  readonly image?: string | undefined;
  readonly command?: readonly string[] | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: readonly EnvLike[] | undefined;
  readonly envFrom?: readonly object[] | undefined;
  readonly volumeMounts?: readonly MountLike[] | undefined;
}

interface EnvLike {
  readonly name: string;
  readonly value?: string | undefined;
  readonly valueFrom?: object | undefined;
}

interface MountLike {
  readonly name: string;
  readonly mountPath: string;
  readonly subPath?: string | undefined;
  readonly subPathExpr?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly mountPropagation?: string | undefined;
}

/** A pod template: a DaemonSet's `spec.template`, or that in the data of a ControllerRevision. */
export interface PodTemplateLike {
  readonly metadata?:
    | { readonly labels?: object | undefined; readonly annotations?: Readonly<Record<string, string>> | undefined }
    | undefined;
  readonly spec?:
    | {
        readonly containers?: readonly ContainerLike[] | undefined;
        readonly initContainers?: readonly ContainerLike[] | undefined;
        readonly volumes?: readonly { readonly name: string }[] | undefined;
      }
    | undefined;
}

/** 64 bits: enough to distinguish the templates of a cluster, and short enough to compare manually. */
const DIGEST_CHARACTERS = 16;

/**
 * Hash of the fields that determine what a driver pod installs on its node: image, command, arguments and environment of each
 * container and init container, and the source, key and path of each mount, but not its content. The operator's own init container,
 * an image of the release, does not count: it waits and checks, and installs nothing. An image that a mirror of the cluster moved, or that is pinned to
 * the published digest of its tag, counts as before, by the annotations of the template.
 *
 * The same for a template as rendered and for the one that the API server defaulted. Labels, tolerations, probes,
 * resources and node selection do not count, nor do names of containers and volumes, volumes that nothing mounts and the
 * order of mounts. The order of environment variables and of arguments counts. 16 lower-case hexadecimal digits.
 */
export function installDigest(template: PodTemplateLike): string {
  const volumes = new Map((template.spec?.volumes ?? []).map((volume) => [volume.name, volume as Source]));
  const text = canonicalJson({
    init: (template.spec?.initContainers ?? [])
      .filter(({ name }) => name !== OFED_INIT_CONTAINER)
      .map((container) => installed(container, template, volumes)),
    main: (template.spec?.containers ?? []).map((container) => installed(container, template, volumes)),
  });
  return sha256(text).slice(0, DIGEST_CHARACTERS);
}

/** The image before the mirror or the pin that the template names, because its content is the same. */
function imageBeforeMirror({ name = '', image = '' }: ContainerLike, { metadata }: PodTemplateLike): string {
  const [from = '', to = ''] = metadata?.annotations?.[`${MIRROR_ANNOTATION_PREFIX}${name}`]?.split('=') ?? [];
  return to !== '' && isBelow(image, to) ? `${from}${image.slice(to.length)}` : image;
}

function installed(
  container: ContainerLike,
  template: PodTemplateLike,
  volumes: ReadonlyMap<string, Source>,
): JsonValue {
  return {
    image: imageBeforeMirror(container, template),
    command: [...(container.command ?? [])],
    args: [...(container.args ?? [])],
    env: (container.env ?? []).map((variable) => ({
      name: variable.name,
      ...(variable.valueFrom == null ? { value: variable.value ?? '' } : { from: withoutDefaults(variable.valueFrom) }),
    })),
    envFrom: (container.envFrom ?? []).map(withoutDefaults),
    mounts: sorted((container.volumeMounts ?? []).map((mount) => mounted(mount, volumes.get(mount.name)))),
  };
}

function mounted(mount: MountLike, volume: Source | undefined): JsonValue {
  return {
    path: mount.mountPath,
    subPath: mount.subPath ?? '',
    subPathExpr: mount.subPathExpr ?? '',
    readOnly: mount.readOnly ?? false,
    propagation: mount.mountPropagation ?? 'None',
    source: volume === undefined ? null : volumeSource(volume),
  };
}

function volumeSource(volume: Source): JsonValue {
  const meaningful = withoutDefaults({ ...volume, name: undefined });
  // A volume without a source is an emptyDir by the API server's defaulting, which also writes `emptyDir: {}`.
  return Object.keys(meaningful).length === 0 ? { emptyDir: {} } : meaningful;
}

/**
 * Fields that do not change what is installed: file modes, the size of an emptyDir. `DEFAULTS` are values that the API server fills in,
 * by `pkg/apis/core/v1/defaults.go` of Kubernetes 1.34.
 */
const IGNORED_FIELDS = new Set(['defaultMode', 'mode', 'sizeLimit', 'expirationSeconds']);
const DEFAULTS = new Map<string, readonly unknown[]>(
  Object.entries({
    apiVersion: ['v1'],
    divisor: ['0', '', 0],
    optional: [false],
    readOnly: [false],
    type: [''],
    medium: [''],
    prefix: [''],
  }),
);

/** A copy without defaults and empty values; list members keep their order, except a volume's items, which are a set. */
function withoutDefaults(value: object): JsonObject {
  const kept: Record<string, JsonValue> = {};
  for (const [key, field] of Object.entries(value) as [string, unknown][]) {
    if (field == null || IGNORED_FIELDS.has(key) || DEFAULTS.get(key)?.includes(field) === true) continue;
    const copy = copyOf(field);
    kept[key] = key === 'items' && Array.isArray(copy) ? sorted(copy as readonly JsonValue[]) : copy;
  }
  return kept;
}

function copyOf(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value === 'object' && value !== null) return withoutDefaults(value);
  return value as JsonValue;
}

/** A set as a sorted list, because its order is not significant. */
function sorted(values: readonly JsonValue[]): readonly JsonValue[] {
  const texts = values.map((value) => ({ value, text: canonicalJson(value) }));
  return texts.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0)).map(({ value }) => value);
}
