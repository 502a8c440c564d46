import { mkdir, open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import type { ArchiveConfig } from '../../config/archive-settings.ts';
import type { ArchivePlace } from './archive-place.ts';
import { openS3 } from './s3-place.ts';

export function openArchive(config: ArchiveConfig): ArchivePlace {
  return config.kind === 'folder' ? openFolder(config.folder) : openS3(config);
}

/** A file is complete and on the disk before it has its name. */
function openFolder(folder: string): ArchivePlace {
  return {
    async write(file, content) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const unfinished = path.join(folder, `${file}.part`);
      const handle = await open(unfinished, 'w', 0o600);
      try {
        await handle.writeFile(content);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(unfinished, path.join(folder, file));
      const directory = await open(folder, 'r');
      await directory.sync().finally(() => directory.close());
    },
    read: (file) => readFile(path.join(folder, file)),
  };
}
