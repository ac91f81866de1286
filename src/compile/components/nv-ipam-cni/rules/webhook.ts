import { within, type Rule } from '../../../model/config.js';
import type { NvIpamCniSpec } from '../schema.js';

/**
 * Since v0.3.6 the controller gives controller-runtime no validator, so it registers no webhook and listens on no port for one
 * (nvidia-k8s-ipam v0.3.6 to network-operator-v26.7.0-beta.4, api/v1alpha1/ippool_webhook.go `SetupWebhookWithManager`). The
 * rendered webhook fails closed.
 */
export const webhookNotServed: Rule = {
  code: 'WEFT0281',
  severity: 'warning',
  title: 'the webhook of NV-IPAM does not answer',
  *check({ instances }) {
    for (const { spec, origin } of instances.get('nv-ipam-cni') ?? []) {
      // The spec is the output of the component's own schema.
      if (!(spec as NvIpamCniSpec).enableWebhook) continue;
      yield {
        origin: within(origin, 'enableWebhook'),
        at: 'key',
        message:
          'the API server will refuse every new or changed IPPool and CIDRPool: NV-IPAM does not serve its webhook since v0.3.6, in no known release',
        help: 'remove `enableWebhook`; `weft synth` checks the pools of the input by the same rules',
      };
    }
  },
};
