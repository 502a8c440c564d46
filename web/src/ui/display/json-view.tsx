import { type JsonToken, jsonTokens } from '../../snippets/json-tokens.ts';

const COLOURS: Record<JsonToken['kind'], string | undefined> = {
  plain: undefined,
  name: 'text-info',
  text: 'text-ok',
  value: 'text-warn',
};

/** JSON with syntax colours. Texts of the API are in Russian, hence `lang`. */
export function JsonView({ value }: { value: unknown }) {
  return (
    <span lang="ru">
      {jsonTokens(value).map(({ text, kind }, place) => (
        <span key={place} className={COLOURS[kind]}>
          {text}
        </span>
      ))}
    </span>
  );
}
