import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../call.ts';
import { queryOf } from '../queries.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Time } from '../ui/display/time.tsx';

const SHOWN_MAX = 5;

/** Other calls with the same error code, to see whether one call fails or many. */
export function SimilarErrors({ code, besides }: { code: string; besides: string }) {
  const texts = useTexts().requests;
  const format = useFormat();
  const errorCounts = useQuery(queryOf('requestErrors', { query: { range: '24h' } }));
  const { data } = useQuery({
    queryKey: ['requests', 'similar', code],
    queryFn: ({ signal }) => call('requests', { query: { error_code: code }, signal }),
  });
  const counts = errorCounts.data;
  const inDay =
    [...(counts?.errors ?? []), ...(counts?.wrong_codes ?? [])].find(
      ({ error_code }) => error_code === code,
    )?.count ?? 0;
  const others = (data?.rows ?? []).filter(({ request_id: id }) => id !== besides);
  return (
    <section className="grid gap-2">
      <h3 className="text-base">{texts.similarTitle}</h3>
      <p className="text-table text-muted">{texts.inDay(format.number(inDay))}</p>
      {others.length > 0 && (
        <ul className="grid text-table">
          {others.slice(0, SHOWN_MAX).map((row) => (
            <li key={row.request_id} className="border-t border-hairline">
              <Link
                to="/app/requests"
                search={(before) => ({ ...before, request: row.request_id })}
                className="target flex flex-wrap items-center justify-between gap-x-4 px-1 hover:bg-sunken"
              >
                <Time at={row.at} />
                <span className="text-muted">
                  {row.phone === null ? row.key.name : format.phone(row.phone)}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <p>
        <Link to="/app/requests" search={{ error_code: code }} className="link text-table">
          {texts.allSimilar}
        </Link>
      </p>
    </section>
  );
}
