import { missesItsPods } from '../../../../shared/kubernetes/selection/workload-selector.js';
import { within, type Rule } from '../../../model/config.js';

/** The API server refuses a workload whose selector leaves out its own pods. */
export const workloadSelectsItsPods: Rule = {
  code: 'WEFT0487',
  severity: 'error',
  title: 'a selector does not select the pods of its template',
  *check({ passthrough }) {
    for (const { object, origin } of passthrough) {
      if (!missesItsPods(object)) continue;
      yield {
        origin: within(origin, 'spec', 'selector'),
        message: `the selector of ${String(object['kind'])} does not select the pods of its template`,
        help: 'give `spec.template.metadata.labels` the labels of the selector',
      };
    }
  },
};
