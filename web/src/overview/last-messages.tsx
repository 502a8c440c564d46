import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { queryOf } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { MessageTable } from '../ui/table/message-table.tsx';

const SHOWN_MAX = 10;
const REFRESH_MS = 30_000;

/** Hidden when there are no messages: the first steps are shown then. */
export function LastMessages() {
  const texts = useTexts().overview;
  const { data } = useQuery({ ...queryOf('messages'), refetchInterval: REFRESH_MS });
  if (data === undefined || data.rows.length === 0) return null;
  return (
    <section className="grid gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-lg">{texts.lastTitle}</h2>
        <Link to="/app/messages" search={{}} className="link text-table">
          {texts.allMessages}
        </Link>
      </div>
      <MessageTable rows={data.rows.slice(0, SHOWN_MAX)} empty={null} />
    </section>
  );
}
