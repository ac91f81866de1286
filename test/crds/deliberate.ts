/** A wanted difference between our schema of a kind and the recorded CRD. */
export interface Deliberate {
  /** Kinds and paths, as `NicClusterPolicy spec.nvIpam.image`. */
  readonly field: RegExp;
  /** As `keyword: CRD -> ours`. */
  readonly difference: RegExp;
  readonly reason: string;
}

export const deliberate: readonly Deliberate[] = [
  {
    field: /\.upgradePolicy\.(drain|waitForCompletion)\.podSelector$/,
    difference: /^default: none -> ""$/,
    reason: 'the operator reads a missing selector as the empty one',
  },
  {
    field: /^NicClusterPolicy spec\.secondaryNetwork\.ipamPlugin/,
    difference: /./,
    reason: 'older policies have it, and it turns on the add-on whereabouts',
  },
  {
    field: /\.image$/,
    difference: /^required: "yes" -> none$/,
    reason: 'the release fills the image',
  },
  {
    field: /\.nicConfigurationOperator\.(operator|configurationDaemon)$/,
    difference: /^(required: "yes" -> none|default: none -> \{\})$/,
    reason: 'the release fills both images, so that `nicConfigurationOperator: {}` is complete',
  },
  {
    field: /\.config$|\.ipam$/,
    difference: /^type: "string" -> "object\|string"$/,
    reason: 'an object may stand for JSON text',
  },
  {
    field: /\.metaPlugins$/,
    difference: /^type: "string" -> "array\|object\|string"$/,
    reason: 'a list, or one object, may stand for JSON text',
  },
  {
    field: /\.(limits|requests)\{\}$|\.divisor$/,
    difference: /^type: "int-or-string" -> "number\|string"$/,
    reason: 'YAML has numbers with fractions, which `kubectl apply` sends as they are and the API server takes',
  },
  {
    field: /\.(limits|requests)\{\}$|\.divisor$/,
    difference: /^pattern: .* -> none$/,
    reason:
      'checked by the grammar of quantities, which says what is wrong better than a pattern; see quantity.test.ts',
  },
  {
    field: / spec$/,
    difference: /^default: none -> \{\}$/,
    reason: 'a document without `spec` is read as one with an empty one, as the operator does',
  },
  {
    field: /\.(tolerations|deploymentTolerations|nodeSelector)$/,
    difference: /^default: none -> (\[\]|\{\})$/,
    reason: 'an empty list or map means the same as none',
  },
  {
    field: /\.upgradePolicy\.\w+\.podSelector$/,
    difference: /^default: none -> ""$/,
    reason: 'an empty selector means the same as none',
  },
  {
    field: /olerations\[\]\.(effect|operator)$|odeAffinity\..*\.(matchExpressions|matchFields)\[\]\./,
    difference: /^enum: none -> /,
    reason: 'the API server refuses pods with other values, and a DaemonSet would never get any',
  },
  {
    field: /odeAffinity\..*(\.nodeSelectorTerms|\.weight|\.matchFields\[\]\.values)$/,
    difference: /^(minItems|maxItems|minimum|maximum|required): none -> /,
    reason: 'the API server refuses pods with other numbers, and with terms and values that are missing',
  },
  {
    field: /\.env\[\](\.valueFrom\.(configMapKeyRef|secretKeyRef))?\.name$/,
    difference: /^(pattern: none -> |required: none -> "yes"|default: "" -> none)/,
    reason: 'the API server refuses pods with other names, and with none',
  },
  {
    field: /\.(startup|liveness|readiness)Probe\.\w+$/,
    difference: /^maximum: none -> 2147483647$/,
    reason: 'pods hold 32 bits, and the API server refuses more',
  },
  {
    field: /\.pKeyGUIDPoolRange(Start|End)$/,
    difference: /^pattern: none -> /,
    reason: 'a rule of the webhook (validateGUID in api/v1alpha1/validator/nicpolicy_webhook.go)',
  },
  {
    field: /\.docaTelemetryService\.config\.fromConfigMap$/,
    difference: /^required: none -> "yes"$/,
    reason: 'the webhook refuses an empty name',
  },
  {
    field: /^HostDeviceNetwork spec\.resourceName$/,
    difference: /^(required|pattern): none -> /,
    reason: 'rules of the webhook (api/v1alpha1/validator/hostdevicenetwork_webhook.go)',
  },
];
