import { valueAt } from '../../../../shared/lib/json.js';
import type { Rule } from '../../../model/config.js';
import { ipamsOf } from '../networks/attachment-ipams.js';
import { attachmentsOf } from '../networks/attachments.js';

const DIRECTORY = '/etc/cni/net.d/whereabouts.d';

/** The files that the add-on writes on each node (whereabouts v0.9.4, script/lib.sh), by the path in the IPAM that names them. */
const FILES: readonly (readonly [path: readonly [string, ...string[]], file: string])[] = [
  [['configuration_path'], `${DIRECTORY}/whereabouts.conf`],
  [['kubernetes', 'kubeconfig'], `${DIRECTORY}/whereabouts.kubeconfig`],
];

/** The plugin finds the files of the add-on by itself, and fails for each pod where a network names others that are not there. */
export const whereaboutsFiles: Rule = {
  code: 'WEFT0324',
  severity: 'warning',
  title: 'an IPAM is to read a file that the add-on does not write',
  checks: [
    {
      program: 'whereabouts',
      source: 'whereabouts v0.9.4, pkg/config/config.go `GetFlatIPAM` and script/lib.sh',
      what: '`configuration_path` and `kubernetes.kubeconfig` are the files of the add-on',
    },
  ],
  *check(config) {
    const { deploy } = config.addOns.get('whereabouts') as { readonly deploy: boolean };
    if (!deploy) return;
    for (const network of attachmentsOf(config)) {
      for (const { data, placeOf } of ipamsOf(network)) {
        for (const [path, file] of data['type'] === 'whereabouts' ? FILES : []) {
          const named = valueAt(data, path);
          if (typeof named !== 'string' || named === '' || named === file) continue;
          yield {
            ...placeOf(path[0]),
            message: `network \`${network.name}\` names the file \`${named}\`, and the add-on writes \`${file}\``,
            help: `remove \`${path.join('.')}\`: the plugin finds the file by itself, with any \`cni.networkDirectory\``,
          };
        }
      }
    }
  },
};
