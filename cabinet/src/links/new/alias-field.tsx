import { useQuery } from '@tanstack/react-query';
import { ALIAS_LENGTH_MAX, ALIAS_LENGTH_MIN } from '@zhiber/contract/api/limits.ts';
import { CircleCheck } from 'lucide-react';
import { CallError } from '../../call.ts';
import { queryOf } from '../../queries.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Optional } from '../../ui/controls/field.tsx';
import { useSettled } from '../../ui/controls/settled.ts';
import { TextField } from '../../ui/controls/text-field.tsx';

/** Asks while one types whether the name is free, and offers three that are when it is not. */
export function AliasField({ alias, onType }: { alias: string; onType: (alias: string) => void }) {
  const texts = useTexts().links;
  const verdict = useVerdict(alias);
  const errors = { taken: texts.aliasTaken, malformed: texts.aliasForm };
  return (
    <div className="grid gap-2">
      <TextField
        name="alias"
        label={<Optional label={texts.alias} />}
        hint={<Hint verdict={verdict} />}
        error={
          verdict.state === 'taken' || verdict.state === 'malformed'
            ? errors[verdict.state]
            : undefined
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
        {verdict.freeOnes.length > 0 && <span className="text-muted">{texts.freeOnes}</span>}
        {verdict.freeOnes.map((name) => (
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

type Verdict = {
  state: 'none' | 'asking' | 'free' | 'taken' | 'malformed';
  freeOnes: readonly string[];
};

function useVerdict(alias: string): Verdict {
  const asked = useSettled(alias);
  const isWorthAsking = asked.length >= ALIAS_LENGTH_MIN;
  const { data, error, isPlaceholderData } = useQuery({
    ...queryOf('checkAlias', { query: { alias: asked } }),
    enabled: isWorthAsking,
  });
  if (alias.length < ALIAS_LENGTH_MIN) return { state: 'none', freeOnes: [] };
  if (alias !== asked || isPlaceholderData) return { state: 'asking', freeOnes: [] };
  if (error instanceof CallError && error.code === 'validation_error') {
    return { state: 'malformed', freeOnes: [] };
  }
  // Whether it is free is a service to the person; without an answer the form works all the same.
  if (data === undefined) return { state: error === null ? 'asking' : 'none', freeOnes: [] };
  return { state: data.is_free ? 'free' : 'taken', freeOnes: data.free_ones };
}

function Hint({ verdict }: { verdict: Verdict }) {
  const texts = useTexts().links;
  if (verdict.state === 'asking') return texts.aliasAsking;
  if (verdict.state !== 'free') return texts.aliasHint;
  return (
    <span className="flex items-center gap-1.5 text-ok">
      <CircleCheck aria-hidden="true" size={16} className="shrink-0" />
      {texts.aliasFree}
    </span>
  );
}
