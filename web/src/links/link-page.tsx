import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '../call.ts';
import { queryOf } from '../queries.ts';
import { useRight } from '../session.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { BackLink } from '../ui/display/back-link.tsx';
import { Card, Facts } from '../ui/display/card.tsx';
import { NoRight } from '../ui/display/empty-state.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { Qr } from '../ui/display/qr.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { Time } from '../ui/display/time.tsx';
import { scanUrl, withoutScheme } from './address.ts';
import { ChangeDialog, TagsDialog } from './change-dialogs.tsx';
import { Destination } from './destination.tsx';
import { LastClicks } from './last-clicks.tsx';
import { LinkClicks } from './link-clicks.tsx';
import { LinkHistory } from './link-history.tsx';
import { LinkStateChip } from './link-state.tsx';
import { LinkSwitch } from './link-switch.tsx';
import { QrDownloads } from './qr-dialog.tsx';
import { useClickRange } from './range-choice.tsx';
import { TagsList } from './tags-list.tsx';

type LinkWithClicks = Answer<'link'>;

export function LinkPage() {
  const texts = useTexts().links;
  return useRight('links.see') ? <OneLink /> : <NoRight title={texts.title} />;
}

function OneLink() {
  const texts = useTexts().links;
  const { slug } = useParams({ from: '/app/links/$slug' });
  const range = useClickRange();
  const {
    data: link,
    error,
    refetch,
  } = useQuery(queryOf('link', { params: { slug }, query: { range } }));
  const canChange = useRight('links.change');
  const title = link === undefined ? slug : withoutScheme(link.short_url);
  return (
    <Page
      title={title}
      back={<BackLink to="/app/links">{texts.toList}</BackLink>}
      lead={link && <Destination url={link.url} isWhole />}
      actions={link && <Actions link={link} canChange={canChange} />}
    >
      {error !== null && <Failure error={error} onRetry={refetch} />}
      {error === null && link === undefined && <SkeletonCard lines={6} />}
      {link !== undefined && (
        <>
          <LinkClicks link={link} range={range} />
          <LastClicks slug={slug} />
          <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_auto]">
            <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
              <LinkFacts link={link} canChange={canChange} />
              <LinkHistory changes={link.changes} />
            </div>
            <QrCard link={link} />
          </div>
        </>
      )}
    </Page>
  );
}

function Actions({ link, canChange }: { link: LinkWithClicks; canChange: boolean }) {
  const texts = useTexts().links;
  const [isChanging, setChanging] = useState(false);
  return (
    <>
      <CopyButton text={link.short_url} label={texts.copyLink} />
      {canChange && (
        <Button icon={<Pencil aria-hidden="true" size={16} />} onClick={() => setChanging(true)}>
          {texts.change}
        </Button>
      )}
      {canChange && link.state !== 'expired' && <LinkSwitch link={link} />}
      {isChanging && <ChangeDialog link={link} onClose={() => setChanging(false)} />}
    </>
  );
}

function LinkFacts({ link, canChange }: { link: LinkWithClicks; canChange: boolean }) {
  const texts = useTexts().links;
  const { recipient } = link;
  return (
    <Card title={texts.facts}>
      <div className="grid gap-5">
        <Facts
          rows={[
            [texts.state, <LinkStateChip key="state" state={link.state} />],
            [texts.destination, <Destination key="url" url={link.url} isWhole />],
            [texts.source, texts.sources[link.source]],
            [texts.createdAt, <Time key="created" at={link.created_at} as="timeToMinute" />],
            [
              texts.expires,
              link.expires_at === null ? (
                texts.expiries.never
              ) : (
                <Time key="expires" at={link.expires_at} as="timeToMinute" />
              ),
            ],
            [texts.tags, <Tags key="tags" link={link} canChange={canChange} />],
          ]}
        />
        {recipient !== null && <Recipient recipient={recipient} />}
      </div>
    </Card>
  );
}

function Tags({ link, canChange }: { link: LinkWithClicks; canChange: boolean }) {
  const texts = useTexts().links;
  const [isOpen, setOpen] = useState(false);
  return (
    <span className="flex flex-wrap items-center gap-2">
      {link.tags.length === 0 ? texts.noTags : <TagsList tags={link.tags} />}
      {canChange && (
        <IconButton icon={Pencil} label={texts.changeTags} onClick={() => setOpen(true)} />
      )}
      {isOpen && <TagsDialog link={link} onClose={() => setOpen(false)} />}
    </span>
  );
}

/** The recipient of a link that was sent to one phone. */
function Recipient({ recipient }: { recipient: NonNullable<LinkWithClicks['recipient']> }) {
  const texts = useTexts().links;
  const format = useFormat();
  return (
    <div className="grid gap-2 border-t border-hairline pt-4">
      <h3 className="text-table">{texts.recipient}</h3>
      <Facts
        rows={[
          [texts.phone, format.phone(recipient.phone)],
          [
            texts.firstClick,
            recipient.first_click_at === null ? (
              texts.notOpened
            ) : (
              <Time key="first" at={recipient.first_click_at} />
            ),
          ],
          [texts.clicksEver, format.number(recipient.clicks)],
          [
            texts.message,
            <Link
              key="message"
              to="/app/messages/$id"
              params={{ id: recipient.message_id }}
              className="link"
            >
              {texts.openMessage}
            </Link>,
          ],
        ]}
      />
    </div>
  );
}

function QrCard({ link }: { link: LinkWithClicks }) {
  const texts = useTexts().links;
  return (
    <Card title={texts.qrTitle}>
      <div className="grid justify-items-center gap-3">
        <Qr text={scanUrl(link.short_url)} label={texts.qrOf(link.short_url)} />
        <QrDownloads link={link} />
      </div>
    </Card>
  );
}
