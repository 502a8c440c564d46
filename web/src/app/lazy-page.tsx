import type { AsyncRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { CallError } from '../call-error.ts';
import { checkConnection, noteNewBuild } from '../connection.ts';

/** The server can be reached, but no longer has this file: it has newer pages than these. */
export class PageGone extends Error {
  override name = 'PageGone';
}

/**
 * What a file that was not loaded at the start exports under a name. Fails with `no_connection`, or
 * with `PageGone` after a release. Nothing is loaded again by itself: that would lose what somebody
 * is typing.
 */
export async function importPart<Name extends string, Part>(
  importer: () => Promise<Record<Name, Part>>,
  name: Name,
): Promise<Part> {
  try {
    return (await importer())[name];
  } catch (error) {
    if (!(await checkConnection())) {
      throw new CallError({ status: 0, code: 'no_connection', message: String(error) });
    }
    const module = await importAfresh<Record<Name, Part>>(String(error));
    // A file that several pages share has other names for what it exports.
    if (module !== undefined && name in module) return module[name];
    noteNewBuild();
    throw new PageGone(String(error));
  }
}

/**
 * Chromium can remember for as long as the page is open that a file could not be fetched. Under an
 * address of its own the file is fetched again; what it imports has the addresses of before.
 */
async function importAfresh<Module>(failure: string): Promise<Module | undefined> {
  const address = /https?:\/\/\S+\/assets\/[\w-]+\.js/.exec(failure)?.[0];
  if (address === undefined) return undefined;
  try {
    return (await import(/* @vite-ignore */ `${address}?again`)) as Module;
  } catch {
    return undefined;
  }
}

/** A page of the router whose code is loaded when it is opened, or before (`preload`). */
export function lazyPage<Name extends string>(
  importer: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): AsyncRouteComponent<object> {
  let loading: Promise<void> | undefined;
  let Loaded: ComponentType | undefined;
  const preload = () => {
    loading ??= importPart(importer, name)
      .then((page) => {
        Loaded = page;
      })
      .catch((error: unknown) => {
        // The next attempt asks again.
        loading = undefined;
        throw error;
      });
    return loading;
  };
  const LazyPage = () => {
    // The router has loaded it before it draws the page.
    if (Loaded === undefined) throw preload();
    return <Loaded />;
  };
  return Object.assign(LazyPage, { preload });
}
