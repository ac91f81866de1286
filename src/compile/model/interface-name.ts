/** The longest name of an interface (Linux, include/uapi/linux/if.h `IFNAMSIZ`, with the end of the text). */
const NAME_MAX = 15;

/** The longest alternative name of an interface (Linux, include/uapi/linux/if.h `ALTIFNAMSIZ`). */
const ALTERNATIVE_NAME_MAX = 127;

/** What programs do with a name: find an interface by any of its names, or compare it with the one that the kernel shows. */
type Lookup = 'any-name' | 'kernel-name';

/** Why no interface has the name; `undefined` if one may have it. */
interface NameProblem {
  readonly fact: string;
  readonly help: string;
}

/**
 * Names of interfaces by Linux, net/core/dev.c `dev_valid_name`. A comma is allowed there and in nobody's names: it
 * stands for a list, which the programs do not read.
 */
export function interfaceNameProblem(name: string, lookup: Lookup): NameProblem | undefined {
  if (/^mlx\d+_\d+$/.test(name)) {
    return {
      fact: 'is an RDMA device, not an interface',
      help: '`rdma link` or `ibdev2netdev` on the node shows its interface',
    };
  }
  if (/[,;]/.test(name)) return { fact: 'is a list, and one interface is wanted', help: 'name one interface' };
  if (lookup === 'kernel-name' && /[*?[\]]/.test(name)) {
    return { fact: 'is a pattern, and names are compared as they are written', help: 'name each interface' };
  }
  if (/[\s/:\p{Cc}]/u.test(name) || name === '.' || name === '..') {
    return {
      fact: 'is no name of an interface: it has a space, `/` or `:`',
      help: '`ip link` on the node shows the names',
    };
  }
  const max = lookup === 'kernel-name' ? NAME_MAX : ALTERNATIVE_NAME_MAX;
  if (name.length <= max) return undefined;
  return {
    fact: `has ${name.length} characters, and the name of an interface at most ${max}`,
    help: '`ip link` on the node shows the names',
  };
}
