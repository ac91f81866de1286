/** The longest name of an interface (Linux, include/uapi/linux/if.h `IFNAMSIZ`, with the end of the text). */
const NAME_MAX = 15;

/** Why no interface has the name; `undefined` if one may have it. */
interface NameProblem {
  readonly fact: string;
  readonly help: string;
}

/**
 * Names of interfaces by Linux, net/core/dev.c `dev_valid_name`. A comma is allowed there and in nobody's names: it
 * stands for a list, which the programs do not read. The alternative names of an interface may be longer; device plugins do not know
 * them, and CNI plugins find them.
 */
export function interfaceNameProblem(name: string): NameProblem | undefined {
  if (/^mlx\d+_\d+$/.test(name)) {
    return {
      fact: 'is an RDMA device, not an interface',
      help: '`rdma link` or `ibdev2netdev` on the node shows its interface',
    };
  }
  if (/[,;]/.test(name)) return { fact: 'is a list, and one interface is wanted', help: 'name one interface' };
  if (/[*?[\]]/.test(name)) {
    return { fact: 'is a pattern, and names are compared as they are written', help: 'name each interface' };
  }
  if (/[\s/:\p{Cc}]/u.test(name) || name === '.' || name === '..') {
    return {
      fact: 'is no name of an interface: it has a space, `/` or `:`',
      help: '`ip link` on the node shows the names',
    };
  }
  if (name.length <= NAME_MAX) return undefined;
  return {
    fact: `has ${name.length} characters, and the name of an interface at most ${NAME_MAX}`,
    help: '`ip link` on the node shows the names',
  };
}
