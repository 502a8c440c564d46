import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { ProviderDescription } from './provider-file/description.ts';
import { readProviderFile } from './provider-file/read-provider-file.ts';
import type { BlockValues, Given } from './read-block.ts';
import type { Setting } from './settings.ts';
import { filePaths } from './values.ts';

/** A provider that a file describes. */
export type FileProviderConfig = {
  kind: 'file';
  name: string;
  channel: Channel;
  description: ProviderDescription;
  /** The secrets, by their names in the file. */
  values: BlockValues;
};

/** Returns the text of a file; throws when it cannot be read. */
export type ReadFile = (file: string) => string;

export const FILES_SETTING: Setting = {
  name: 'PROVIDER_FILES',
  sentence:
    'Files that describe providers without code, separated by commas: see docs/provider-files.md. A ' +
    'secret is never in the file: {{secret.NAME}} in it is the setting PROVIDER_SECRET_NAME.',
};

export const SECRET_PREFIX = 'PROVIDER_SECRET_';
/** It may stand in a header, where nothing else is allowed. */
const SECRET = /^[\x20-\x7e]{1,1000}$/;

/** The described providers, in the order of their files. What is wrong is added to the problems. */
export function readProviderFiles(
  given: Given,
  problems: string[],
  readFile: ReadFile,
): FileProviderConfig[] {
  const taken = new Map<string, string>();
  return filePaths(given(FILES_SETTING.name) ?? '').flatMap((file) => {
    const fail = (problem: string) => problems.push(`${FILES_SETTING.name}: ${file}: ${problem}`);
    const text = tryToRead(file, readFile);
    if (text instanceof Error) {
      fail(`cannot be read: ${text.message}`);
      return [];
    }
    const { description, mistakes } = readProviderFile(text);
    mistakes?.forEach(fail);
    if (description === undefined) return [];
    const { name, channel } = description;
    const other = taken.get(name);
    if (other !== undefined) fail(`name: should not be "${name}", which ${other} has`);
    taken.set(name, file);
    const values = readSecrets({ description, file }, given, problems);
    return [{ kind: 'file', name, channel, description, values }];
  });
}

function tryToRead(file: string, readFile: ReadFile): string | Error {
  try {
    return readFile(file);
  } catch (error) {
    return error as Error;
  }
}

function readSecrets(
  { description, file }: { description: ProviderDescription; file: string },
  given: Given,
  problems: string[],
): BlockValues {
  const values: Record<string, string> = {};
  for (const name of description.secretNames) {
    const setting = SECRET_PREFIX + name;
    const value = given(setting);
    if (value === undefined) problems.push(`${setting}: should be set, because ${file} needs it`);
    else if (!SECRET.test(value)) {
      problems.push(`${setting}: should have 1 to 1000 ASCII characters on one line`);
    } else values[name] = value;
  }
  return values;
}
