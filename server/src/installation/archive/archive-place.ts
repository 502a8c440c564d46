/** Where the files of the archive are. */
export type ArchivePlace = {
  write(file: string, content: Buffer): Promise<void>;
  read(file: string): Promise<Buffer>;
};
