import { useSyncExternalStore } from 'react';
import { readChoice, rememberChoice } from './remember.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const listeners = new Set<() => void>();

function currentTheme(): Theme {
  return THEMES.find((theme) => theme === readChoice('theme')) ?? 'system';
}

function setTheme(theme: Theme): void {
  rememberChoice('theme', theme);
  document.documentElement.classList.remove('light', 'dark');
  if (theme !== 'system') document.documentElement.classList.add(theme);
  for (const listener of listeners) listener();
}

/** Calls the listener when the theme changes, by choice or with the system. */
export function watchColours(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  listeners.add(listener);
  system.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    system.removeEventListener('change', listener);
  };
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(watchColours, currentTheme), setTheme];
}
