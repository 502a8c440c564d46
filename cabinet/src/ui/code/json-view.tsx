import {
  type JsonToken,
  jsonTokens,
} from '../../../../server/src/http/pages/assets/client/json-tokens.ts';

const COLOURS: Record<JsonToken['kind'], string | undefined> = {
  plain: undefined,
  name: 'text-info',
  text: 'text-ok',
  value: 'text-warn',
};

/** JSON in colours; the texts in it are those of the API, which speaks Russian. */
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
