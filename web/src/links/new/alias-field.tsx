import { useQuery } from '@tanstack/react-query';
import { ALIAS_LENGTH_MAX, ALIAS_LENGTH_MIN } from '@zhiber/contract/api/limits.ts';
import { CircleCheck } from 'lucide-react';
import { CallError } from '../../call-error.ts';
import { queryOf } from '../../queries.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { useDebounced } from '../../ui/controls/debounced.ts';
import { Optional } from '../../ui/controls/field.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { withoutScheme } from '../address.ts';

/** Checks while typing whether the alias is free; if not, offers three free ones. */
export function AliasField({ alias, onType }: { alias: string; onType: (alias: string) => void }) {
  const texts = useTexts().links;
  const check = useAliasCheck(alias);
  const base = useQuery(queryOf('linkOptions')).data?.short_link_base;
  const errors = { taken: texts.aliasTaken, malformed: texts.aliasForm };
  return (
    <div className="grid gap-2">
      <TextField
        name="alias"
        label={<Optional label={texts.alias} />}
        prefix={base === undefined ? undefined : `${withoutScheme(base)}/`}
        hint={<Hint check={check} />}
        error={
          check.state === 'taken' || check.state === 'malformed' ? errors[check.state] : undefined
        }
        isMono
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        minLength={ALIAS_LENGTH_MIN}
        maxLength={ALIAS_LENGTH_MAX}
        value={alias}
        onChange={(event) => onType(event.currentTarget.value.trim())}
      />
      <div role="status" className="flex flex-wrap items-center gap-1.5 text-sm empty:hidden">
        {check.freeOnes.length > 0 && <span className="text-muted">{texts.freeOnes}</span>}
        {check.freeOnes.map((name) => (
          <button
            key={name}
            type="button"
            className="min-h-8 rounded-control border border-border px-2.5 font-mono hover:bg-sunken pointer-coarse:min-h-11"
            onClick={() => onType(name)}
          >
            {name}
          </button>
        ))}
      </div>
    </div>
  );
}

type AliasCheck = {
  state: 'none' | 'asking' | 'free' | 'taken' | 'malformed';
  freeOnes: readonly string[];
};

function useAliasCheck(alias: string): AliasCheck {
  const checkedAlias = useDebounced(alias);
  const isLongEnough = checkedAlias.length >= ALIAS_LENGTH_MIN;
  const { data, error, isPlaceholderData } = useQuery({
    ...queryOf('checkAlias', { query: { alias: checkedAlias } }),
    enabled: isLongEnough,
  });
  if (alias.length < ALIAS_LENGTH_MIN) return { state: 'none', freeOnes: [] };
  if (alias !== checkedAlias || isPlaceholderData) return { state: 'asking', freeOnes: [] };
  if (error instanceof CallError && error.code === 'validation_error') {
    return { state: 'malformed', freeOnes: [] };
  }
  // The check is only a convenience: when it fails, the form still works.
  if (data === undefined) return { state: error === null ? 'asking' : 'none', freeOnes: [] };
  return { state: data.is_free ? 'free' : 'taken', freeOnes: data.free_ones };
}

function Hint({ check }: { check: AliasCheck }) {
  const texts = useTexts().links;
  if (check.state === 'asking') return texts.aliasAsking;
  if (check.state !== 'free') return texts.aliasHint;
  return (
    <span className="flex items-center gap-1.5 text-ok">
      <CircleCheck aria-hidden="true" size={16} className="shrink-0" />
      {texts.aliasFree}
    </span>
  );
}
