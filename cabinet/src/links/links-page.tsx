import { useInfiniteQuery } from '@tanstack/react-query';
import type { LinkRow } from '@zhiber/contract/cabinet/links.ts';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useFilters } from '../app/filters.ts';
import { pagesOf, rowsOf } from '../queries.ts';
import { useRight } from '../session.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { EmptyState, NoRight } from '../ui/display/empty-state.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { useShortcut } from '../ui/overlays/shortcuts.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import { ShowMore } from '../ui/table/more-rows.tsx';
import { useLinkColumns } from './link-columns.tsx';
import { LINK_FILTERS, LinkFilters } from './link-filters.tsx';
import { CreatedNote } from './new/created-note.tsx';
import { type CreatedLink, NewLinkForm } from './new/new-link-form.tsx';
import { QrDialog, type QrOf } from './qr-dialog.tsx';

export function LinksPage() {
  const texts = useTexts().links;
  return useRight('links.see') ? <Links /> : <NoRight title={texts.title} />;
}

function Links() {
  const texts = useTexts().links;
  const mayChange = useRight('links.change');
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<CreatedLink>();
  const [qrOf, setQrOf] = useState<QrOf>();
  const open = () => {
    setCreated(undefined);
    setOpen(true);
  };
  const show = (link: CreatedLink) => {
    setOpen(false);
    setCreated(link);
  };
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={mayChange && !isOpen && <NewLinkButton onPress={open} />}
    >
      {isOpen && <NewLinkForm onCreated={show} onClose={() => setOpen(false)} />}
      {created !== undefined && <CreatedNote link={created} onQr={() => setQrOf(created)} />}
      <LinkList
        onQr={setQrOf}
        firstUse={mayChange && !isOpen ? <NewLinkForm onCreated={show} /> : undefined}
      />
      {qrOf !== undefined && <QrDialog link={qrOf} onClose={() => setQrOf(undefined)} />}
    </Page>
  );
}

function NewLinkButton({ onPress }: { onPress: () => void }) {
  const texts = useTexts().links;
  useShortcut('n', texts.newTitle, onPress);
  return (
    <Button look="primary" icon={<Plus aria-hidden="true" size={16} />} onClick={onPress}>
      {texts.newTitle}
    </Button>
  );
}

function LinkList(props: { onQr: (link: LinkRow) => void; firstUse: React.ReactNode }) {
  const texts = useTexts();
  const { filters, setFilters, resetFilters, isFiltered } = useFilters(LINK_FILTERS);
  const list = useInfiniteQuery(pagesOf('links', filters));
  const columns = useLinkColumns(props.onQr);
  const rows = rowsOf<LinkRow>(list.data);
  const isFirstUse = rows?.length === 0 && !isFiltered && !list.isPlaceholderData;
  return (
    <>
      {!isFirstUse && <LinkFilters filters={filters} onChange={setFilters} />}
      {list.error !== null ? (
        <ErrorCard error={list.error} onRetry={list.refetch} />
      ) : (
        <DataTable
          caption={texts.links.title}
          columns={columns}
          rows={rows}
          rowKey={({ slug }) => slug}
          rowLink={({ slug }) => ({ to: '/app/links/$slug', params: { slug } })}
          isRefetching={list.isPlaceholderData}
          empty={
            isFirstUse ? (
              <FirstUse form={props.firstUse} />
            ) : (
              <EmptyState
                kind="no-match"
                title={texts.ui.nothingMatches}
                action={<Button onClick={resetFilters}>{texts.ui.resetFilters}</Button>}
              />
            )
          }
        />
      )}
      <SearchedUntil at={list.data?.at(-1)?.searched_until ?? null} />
      <ShowMore list={list} />
    </>
  );
}

function FirstUse({ form }: { form: React.ReactNode }) {
  const texts = useTexts().links;
  return (
    <div className="grid gap-5">
      <EmptyState kind="first-use" title={texts.none}>
        {texts.noneNote}
      </EmptyState>
      {form}
    </div>
  );
}

/** Rare matches: the search stopped on its way to answer in time, and says so. */
function SearchedUntil({ at }: { at: string | null }) {
  const texts = useTexts().links;
  const format = useFormat();
  if (at === null) return null;
  return (
    <p className="text-center text-sm text-muted">{texts.searchedUntil(format.timeToMinute(at))}</p>
  );
}
