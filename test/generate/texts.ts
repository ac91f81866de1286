import fc from 'fast-check';

/** Text that some programs read as another type, and text of any characters. */
export const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    'yes',
    '0170',
    '1_0',
    '12:30',
    '~',
    '',
    ' x ',
    'a: b',
    '# c',
    '"',
    "'",
    '{{ x }}',
    'a\n b\n',
    '\t',
    '=',
    '1e3',
  ),
);

/** Texts of the formats that schemas check by code. A field takes those that its schema accepts. */
export const SAMPLES: readonly string[] = [
  // A warning that no input of the tests gives
  'WEFT0062',
  // Names and labels
  'a',
  'settings',
  'some-name',
  'name.example.com',
  'Some_Value.1',
  'example.com/rack',
  'a'.repeat(63),
  `${'a.'.repeat(126)}a`,
  'key.conf',
  // Base64
  'AA==',
  // Networks
  '10.0.0.1',
  '10.0.0.0/24',
  'fd00::1',
  'fd00::/64',
  '10.0.0.10-10.0.0.20/24',
  'eth0',
  'ippool',
  'multus',
  '0.3.1',
  'CIDRPool',
  // Resources of nodes
  'rdma/*',
  'nvidia.com/gpu',
  // Amounts and times
  '1',
  '500m',
  '1.5',
  '1Gi',
  '30m',
  '0 22 * * 5',
  'Europe/Oslo',
  '1h30m',
  // Places of the output
  'https://git.example.com/fleet.git',
  'https://api.example.com:6443',
  'oci://registry.example.com/fleet/output',
  '',
];
