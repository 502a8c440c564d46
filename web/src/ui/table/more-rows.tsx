import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../controls/button.tsx';

/** The "show more" button of a list; `list` is a part of the result of `useInfiniteQuery`. */
export function ShowMore(props: {
  list: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => Promise<unknown>;
  };
}) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = props.list;
  const texts = useTexts().ui;
  if (!hasNextPage) return null;
  return (
    <div className="flex justify-center">
      <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {texts.showMore}
      </Button>
    </div>
  );
}

/** New rows are shown on demand, so that the table does not jump while it is read. */
export function NewRowsBar({ count, onShow }: { count: number; onShow: () => void }) {
  const texts = useTexts().ui;
  return (
    <div role="status" className={count === 0 ? 'hidden' : 'flex justify-center'}>
      {count > 0 && (
        <Button look="primary" onClick={onShow}>
          {texts.showNew(count)}
        </Button>
      )}
    </div>
  );
}
