import { inputTypes, kubernetesTypesOfInput } from '../types/input-types.js';
import { kubernetesTypes } from '../types/kubernetes-types.js';
import { policyComponentTypes } from '../types/policy-components.js';
import { writeGenerated } from './written.js';

// Writes the types of all input documents from their schemas, types of Kubernetes, and those of policies from the registry.
await writeGenerated(
  {
    'src/compile/model/input.ts': inputTypes(),
    'src/compile/model/kubernetes-types.ts': kubernetesTypes(kubernetesTypesOfInput()),
    'src/compile/constructs/policy-components.ts': policyComponentTypes(),
  },
  'types',
);
