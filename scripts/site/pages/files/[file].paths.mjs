import { filePage, linkedFiles } from '../../documents.ts';

// Pages that show files of the repository which documents link to.
export default {
  paths: () => linkedFiles().map((file) => ({ params: { file }, content: filePage(file) })),
};
