import { SRIOV_GROUP } from '../../../../shared/contract/labels.js';
import { listAt } from '../../../../shared/lib/json.js';
import { pciAddress } from '../../../components/selector-values.js';
import { within, type Rule } from '../../../model/config.js';
import { isUnfilled } from '../../../model/unfilled.js';
import { objectsOf } from '../../../model/input-objects.js';

/** The operator compares these addresses with those of the system. */
export const sriovRootDevices: Rule = {
  code: 'WEFT0223',
  severity: 'warning',
  title: 'a resource gets no devices',
  checks: [
    {
      program: 'SR-IOV Network Operator',
      source: 'sriov-network-operator v1.6.0, api/v1/helper.go `Selected`',
      what: '`rootDevices`: PCI addresses with a domain, in lower case',
    },
  ],
  *check(config) {
    for (const { name, spec, origin } of objectsOf(config, SRIOV_GROUP, 'SriovNetworkNodePolicy')) {
      for (const [index, device] of listAt(spec, 'nicSelector', 'rootDevices').entries()) {
        const problem = typeof device === 'string' && !isUnfilled(device) ? pciAddress(device) : undefined;
        if (!problem) continue;
        yield {
          origin: within(origin, 'spec', 'nicSelector', 'rootDevices', index),
          message: `\`rootDevices[${index}]\` of SriovNetworkNodePolicy \`${name}\` ${problem.fact}`,
          help: problem.help,
        };
      }
    }
  },
};
