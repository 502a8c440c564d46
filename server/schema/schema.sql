-- Made by `npm run schema` from tables/ and functions/; a test keeps it so.

create type attempt_state as enum ('sending', 'accepted', 'refused', 'unavailable', 'unknown');
create type broadcast_state as enum ('draft', 'scheduled', 'running', 'paused', 'done', 'cancelled');
create type channel as enum ('whatsapp', 'telegram', 'sms');
create type click_browser as enum ('chrome', 'safari', 'samsung', 'yandex', 'opera', 'edge', 'firefox', 'miui', 'instagram', 'facebook', 'telegram', 'viber');
create type click_device as enum ('phone', 'tablet', 'computer');
create type click_system as enum ('android', 'ios', 'windows', 'macos', 'linux');
create type entry_kind as enum ('welcome_bonus', 'topup', 'first_topup_bonus', 'charge', 'charge_moved', 'correction', 'refund', 'bonus_taken_back', 'refund_refused', 'debt_paid');
create type fiscal_state as enum ('waiting', 'registered', 'failed');
create type guard_action as enum ('recorded', 'blocked');
create type incident_impact as enum ('minor', 'major', 'critical');
create type incident_state as enum ('investigating', 'identified', 'watching', 'resolved');
create type message_kind as enum ('otp', 'link', 'group', 'broadcast');
create type message_state as enum ('sending', 'sent', 'failed', 'unknown');
create type pause_reason as enum ('person', 'operator', 'quiet', 'money', 'failures', 'channel', 'suspended', 'late');
create type payment_order_state as enum ('pending', 'checking', 'manual', 'paid', 'expired', 'cancelled');
create type receipt as enum ('unconfirmed', 'failed', 'delivered', 'read');
create type refund_state as enum ('asked', 'done', 'refused');
create type row_verdict as enum ('send', 'duplicate', 'invalid', 'cannot_receive', 'other_country', 'unsubscribed', 'no_consent');
create type webhook_delivery_state as enum ('waiting', 'delivered', 'failed', 'missed');

create table account (
  company_id bigint not null,
  balance bigint not null default 0,
  held bigint not null default 0,
  welcomed_at timestamp with time zone,
  first_topup_at timestamp with time zone,
  debt bigint not null default 0,
  entries bigint not null default 0,
  constraint account_balance_check CHECK ((balance >= 0)),
  constraint account_check CHECK ((held <= balance)),
  constraint account_debt_check CHECK ((debt >= 0)),
  constraint account_held_check CHECK ((held >= 0)),
  constraint account_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint account_pkey PRIMARY KEY (company_id)
) with (fillfactor=50);

create table act (
  company_id bigint not null,
  month date not null,
  number bigint not null,
  content text not null,
  hash bytea not null,
  created_at timestamp with time zone not null,
  constraint act_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
  constraint act_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint act_pkey PRIMARY KEY (company_id, month),
  constraint act_number_key UNIQUE (number)
);

create table api_key (
  id bigint not null generated always as identity,
  company_id bigint not null,
  name text not null,
  is_test boolean not null,
  secret_hash bytea not null,
  previous_hash bytea,
  previous_until timestamp with time zone,
  shown_start text not null,
  shown_end text not null,
  domain text,
  channels channel[] not null,
  code_length smallint not null,
  code_ttl_seconds integer not null,
  fallback_seconds integer not null,
  language text not null,
  brand text,
  rate_per_minute integer,
  created_by text,
  created_at timestamp with time zone not null default clock_timestamp(),
  revoked_at timestamp with time zone,
  monthly_cap bigint,
  is_for_broadcasts boolean not null default false,
  daily_cap bigint,
  expires_at timestamp with time zone,
  constraint api_key_code_length_check CHECK (((code_length >= 4) AND (code_length <= 8))),
  constraint api_key_code_ttl_seconds_check CHECK (((code_ttl_seconds >= 60) AND (code_ttl_seconds <= 900))),
  constraint api_key_daily_cap_check CHECK ((daily_cap > 0)),
  constraint api_key_fallback_seconds_check CHECK (((fallback_seconds >= 15) AND (fallback_seconds <= 120))),
  constraint api_key_language_check CHECK ((language = ANY (ARRAY['ru'::text, 'kk'::text, 'both'::text]))),
  constraint api_key_monthly_cap_check CHECK ((monthly_cap > 0)),
  constraint api_key_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint api_key_rate_per_minute_check CHECK ((rate_per_minute > 0)),
  constraint test_key_has_no_cap CHECK (((monthly_cap IS NULL) OR (NOT is_test))),
  constraint test_key_has_no_daily_cap CHECK (((daily_cap IS NULL) OR (NOT is_test))),
  constraint api_key_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint api_key_created_by_fkey FOREIGN KEY (created_by) REFERENCES person(id),
  constraint api_key_pkey PRIMARY KEY (id),
  constraint api_key_previous_hash_key UNIQUE (previous_hash),
  constraint api_key_secret_hash_key UNIQUE (secret_hash)
);
CREATE UNIQUE INDEX api_key_broadcasts ON public.api_key USING btree (company_id) WHERE is_for_broadcasts;
CREATE INDEX api_key_capped ON public.api_key USING btree (company_id, id) WHERE ((monthly_cap IS NOT NULL) OR (daily_cap IS NOT NULL));
CREATE INDEX api_key_company ON public.api_key USING btree (company_id, id);
CREATE INDEX api_key_start ON public.api_key USING btree (shown_start text_pattern_ops);
CREATE TRIGGER api_key_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.api_key FOR EACH STATEMENT EXECUTE FUNCTION count_key_change();

create table archived_file (
  table_name text not null,
  month date not null,
  from_page bigint not null,
  to_page bigint not null,
  file text not null,
  row_count bigint not null,
  bytes bigint not null,
  sha256 text not null,
  archived_at timestamp with time zone not null default clock_timestamp(),
  constraint archived_file_pkey PRIMARY KEY (table_name, month, from_page)
);

create table attempt (
  company_id bigint not null,
  message_id uuid not null,
  number smallint not null,
  channel channel not null,
  state attempt_state not null,
  reason text,
  receipt receipt,
  provider_id text,
  price integer not null,
  started_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  receipt_at timestamp with time zone,
  delivered_at timestamp with time zone,
  constraint attempt_pkey PRIMARY KEY (company_id, message_id, number)
) partition by RANGE (message_id);

create table audit_record (
  company_id bigint not null,
  id bigint not null,
  at timestamp with time zone not null,
  person_id text,
  person_name text,
  action text not null,
  object text not null,
  before jsonb,
  after jsonb,
  address text,
  device text,
  request_id text,
  hash bytea not null,
  constraint audit_record_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint audit_record_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  constraint audit_record_pkey PRIMARY KEY (company_id, id)
);
CREATE TRIGGER audit_is_chained BEFORE INSERT ON public.audit_record FOR EACH ROW EXECUTE FUNCTION chain_audit();
CREATE TRIGGER audit_is_final BEFORE DELETE OR UPDATE ON public.audit_record FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_is_kept BEFORE TRUNCATE ON public.audit_record FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

create table audited_entries (
  month date not null,
  company_id bigint not null,
  first_number bigint not null,
  last_number bigint not null,
  opening bigint not null,
  closing bigint not null,
  charged bigint not null,
  constraint audited_entries_pkey PRIMARY KEY (month, company_id, first_number)
);

create table audited_messages (
  month date not null,
  company_id bigint not null,
  messages bigint not null,
  charged bigint not null,
  constraint audited_messages_pkey PRIMARY KEY (month, company_id)
);

create table audited_month (
  table_name text not null,
  month date not null,
  changes bigint not null default 0,
  audited_changes bigint,
  audited_at timestamp with time zone,
  row_count bigint,
  hash numeric,
  constraint audited_month_table_name_check CHECK ((table_name = ANY (ARRAY['message'::text, 'entry'::text]))),
  constraint audited_month_pkey PRIMARY KEY (table_name, month)
);

create table balance_alert (
  company_id bigint not null,
  threshold bigint,
  emails text[],
  tells_members_in_telegram boolean not null default false,
  telegram_group_id bigint,
  is_announced boolean not null default false,
  announced_at timestamp with time zone,
  claimed_until timestamp with time zone,
  constraint balance_alert_emails_check CHECK (((cardinality(emails) >= 1) AND (cardinality(emails) <= 10))),
  constraint balance_alert_threshold_check CHECK ((threshold > 0)),
  constraint balance_alert_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint balance_alert_telegram_group_id_fkey FOREIGN KEY (telegram_group_id) REFERENCES messenger_group(id) ON DELETE SET NULL,
  constraint balance_alert_pkey PRIMARY KEY (company_id)
);

create table bank_statement_line (
  id uuid not null,
  hash bytea not null,
  bank_reference text,
  paid_at timestamp with time zone not null,
  amount bigint not null,
  purpose text not null,
  payer_name text,
  payer_business_id text,
  order_id uuid,
  payment_id uuid,
  imported_by text not null,
  matched_by text,
  imported_at timestamp with time zone not null,
  company_id bigint,
  constraint bank_statement_line_amount_check CHECK ((amount > 0)),
  constraint bank_statement_line_payer_business_id_check CHECK ((payer_business_id ~ '^[0-9]{12}$'::text)),
  constraint credited_line_has_target CHECK (((payment_id IS NULL) OR (order_id IS NOT NULL) OR (company_id IS NOT NULL))),
  constraint line_has_one_target CHECK (((order_id IS NULL) OR (company_id IS NULL))),
  constraint bank_statement_line_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint bank_statement_line_order_id_fkey FOREIGN KEY (order_id) REFERENCES payment_order(id),
  constraint bank_statement_line_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id),
  constraint bank_statement_line_pkey PRIMARY KEY (id),
  constraint bank_statement_line_hash_key UNIQUE (hash)
);
CREATE INDEX bank_statement_line_unmatched ON public.bank_statement_line USING btree (id) WHERE (payment_id IS NULL);

create table barred_host (
  host text not null,
  reason text not null,
  barred_at timestamp with time zone not null default clock_timestamp(),
  constraint barred_host_host_check CHECK ((host = lower(host))),
  constraint barred_host_pkey PRIMARY KEY (host)
);

create table broadcast (
  id uuid not null,
  company_id bigint not null,
  name text not null,
  state broadcast_state not null default 'draft'::broadcast_state,
  version integer not null default 1,
  created_by text,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  source text,
  source_name text,
  columns text[] not null default '{}'::text[],
  phone_column smallint,
  consent_column smallint,
  rows_state text not null default 'none'::text,
  rows_count integer not null default 0,
  rows_version integer not null default 0,
  rows_at timestamp with time zone not null default clock_timestamp(),
  includes_other_countries boolean not null default false,
  text text not null default ''::text,
  url text,
  whatsapp_template jsonb,
  channels channel[] not null default '{}'::channel[],
  start_at timestamp with time zone,
  spread_minutes integer,
  quiet_from smallint not null default 21,
  quiet_to smallint not null default 9,
  skips_days_off boolean not null default true,
  consent_basis text,
  consent_note text,
  approval_asked_by text,
  approval_asked_at timestamp with time zone,
  approved_by text,
  approved_at timestamp with time zone,
  recipients integer,
  held bigint not null default 0,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  pause_reason pause_reason,
  pause_detail text,
  paused_at timestamp with time zone,
  resume_at timestamp with time zone,
  resumed_at timestamp with time zone,
  pace_at timestamp with time zone,
  next_tick_at timestamp with time zone,
  counts jsonb,
  counted_at timestamp with time zone,
  count_ms integer,
  next_count_at timestamp with time zone not null default now(),
  constraint broadcast_check CHECK (((state = 'paused'::broadcast_state) = (pause_reason IS NOT NULL))),
  constraint broadcast_consent_basis_check CHECK ((consent_basis = ANY (ARRAY['form'::text, 'contract'::text, 'request'::text, 'other'::text]))),
  constraint broadcast_held_check CHECK ((held >= 0)),
  constraint broadcast_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint broadcast_quiet_from_check CHECK (((quiet_from >= 0) AND (quiet_from <= 23))),
  constraint broadcast_quiet_to_check CHECK (((quiet_to >= 0) AND (quiet_to <= 23))),
  constraint broadcast_rows_state_check CHECK ((rows_state = ANY (ARRAY['none'::text, 'reading'::text, 'read'::text, 'checking'::text, 'checked'::text]))),
  constraint broadcast_source_check CHECK ((source = ANY (ARRAY['file'::text, 'text'::text, 'list'::text, 'failed'::text]))),
  constraint broadcast_spread_minutes_check CHECK (((spread_minutes >= 1) AND (spread_minutes <= 10080))),
  constraint broadcast_approval_asked_by_fkey FOREIGN KEY (approval_asked_by) REFERENCES person(id),
  constraint broadcast_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES person(id),
  constraint broadcast_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint broadcast_created_by_fkey FOREIGN KEY (created_by) REFERENCES person(id),
  constraint broadcast_pkey PRIMARY KEY (id)
);
CREATE INDEX broadcast_company ON public.broadcast USING btree (company_id, id);
CREATE INDEX broadcast_due ON public.broadcast USING btree (next_tick_at) WHERE (state = ANY (ARRAY['scheduled'::broadcast_state, 'running'::broadcast_state, 'paused'::broadcast_state]));

create table broadcast_row (
  id bigint not null generated always as identity,
  broadcast_id uuid not null,
  number integer not null,
  company_id bigint not null,
  cells text[] not null,
  phone bigint,
  verdict row_verdict,
  reason text,
  message_id uuid,
  skipped text,
  tries smallint not null default 0,
  waits_for uuid default 
CASE
    WHEN ((verdict = 'send'::row_verdict) AND (message_id IS NULL) AND (skipped IS NULL)) THEN broadcast_id
    ELSE NULL::uuid
END,
  constraint broadcast_row_broadcast_id_fkey FOREIGN KEY (broadcast_id) REFERENCES broadcast(id) ON DELETE CASCADE,
  constraint broadcast_row_pkey PRIMARY KEY (broadcast_id, number),
  constraint broadcast_row_id_key UNIQUE (id)
) with (fillfactor=80, autovacuum_vacuum_scale_factor=0.2, autovacuum_analyze_scale_factor=0.2, autovacuum_vacuum_insert_scale_factor=0.5, autovacuum_vacuum_cost_limit=200);
CREATE INDEX broadcast_row_message ON public.broadcast_row USING btree (broadcast_id, message_id) WHERE (message_id IS NOT NULL);
CREATE UNIQUE INDEX broadcast_row_phone ON public.broadcast_row USING btree (broadcast_id, phone) WHERE (verdict = 'send'::row_verdict);
CREATE INDEX broadcast_row_phone_messages ON public.broadcast_row USING btree (phone, message_id) WHERE (message_id IS NOT NULL);
CREATE INDEX broadcast_row_verdict ON public.broadcast_row USING btree (broadcast_id, verdict, number);
CREATE INDEX broadcast_row_waiting ON public.broadcast_row USING btree (waits_for, number) WHERE (waits_for IS NOT NULL);

create table broadcast_template (
  id bigint not null generated always as identity,
  company_id bigint not null,
  name text not null,
  text text not null,
  url text,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint broadcast_template_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint broadcast_template_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint broadcast_template_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX broadcast_template_name ON public.broadcast_template USING btree (company_id, lower(name));

create table call_hour (
  company_id bigint not null,
  hour timestamp with time zone not null,
  key_id bigint not null,
  status smallint not null,
  error_code text,
  calls integer not null,
  constraint call_hour_company_id_hour_key_id_status_error_code_key UNIQUE NULLS NOT DISTINCT (company_id, hour, key_id, status, error_code)
);

create table channel_pace (
  channel channel not null,
  next_at timestamp with time zone not null default clock_timestamp(),
  constraint channel_pace_pkey PRIMARY KEY (channel)
);

create table click (
  slug_key text not null,
  company_id bigint not null,
  message_id uuid,
  recipient bigint,
  at timestamp with time zone not null,
  is_robot boolean not null default false,
  is_scan boolean not null default false,
  device click_device,
  system click_system,
  browser click_browser,
  country text,
  city text,
  referrer text
) partition by RANGE (at);
CREATE INDEX click_link ON ONLY public.click USING btree (company_id, slug_key, at);

create table click_hour (
  company_id bigint not null,
  slug_key text not null,
  hour timestamp with time zone not null,
  people integer not null,
  robots integer not null,
  first_at timestamp with time zone,
  last_at timestamp with time zone,
  scans integer not null default 0,
  constraint click_hour_pkey PRIMARY KEY (company_id, slug_key, hour)
);

create table click_part (
  company_id bigint not null,
  slug_key text not null,
  hour timestamp with time zone not null,
  part text not null,
  value text not null,
  people integer not null,
  constraint click_part_part_check CHECK ((part = ANY (ARRAY['device'::text, 'system'::text, 'browser'::text, 'country'::text, 'city'::text, 'referrer'::text]))),
  constraint click_part_pkey PRIMARY KEY (company_id, slug_key, hour, part, value)
);

create table code (
  key_id bigint not null,
  phone bigint not null,
  purpose text not null,
  company_id bigint not null,
  message_id uuid not null,
  mac bytea,
  sealed bytea,
  expires_at timestamp with time zone not null,
  verified_at timestamp with time zone,
  verified_by uuid,
  wrong smallint not null default 0,
  failed_at timestamp with time zone[],
  failed_in_row integer not null default 0,
  constraint code_pkey PRIMARY KEY (key_id, phone, purpose, company_id)
) with (fillfactor=65);

create table code_day (
  day date not null,
  prefix text not null,
  sent integer not null,
  verified integer not null,
  constraint code_day_pkey PRIMARY KEY (day, prefix)
) with (fillfactor=60);

create table company (
  id bigint not null generated always as identity,
  name text not null,
  business_id text,
  language text not null default 'ru'::text,
  brand text,
  created_at timestamp with time zone not null default clock_timestamp(),
  requires_second_factor boolean not null default false,
  suspended_at timestamp with time zone,
  suspended_because text,
  sender_name text,
  approval_above integer,
  constraint company_approval_above_check CHECK ((approval_above >= 0)),
  constraint company_brand_check CHECK (((length(brand) >= 1) AND (length(brand) <= 40))),
  constraint company_business_id_check CHECK ((business_id ~ '^[0-9]{12}$'::text)),
  constraint company_language_check CHECK ((language = ANY (ARRAY['ru'::text, 'kk'::text, 'both'::text]))),
  constraint company_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint company_sender_name_fkey FOREIGN KEY (sender_name) REFERENCES sender_name(name),
  constraint company_pkey PRIMARY KEY (id)
);
CREATE INDEX company_business_id ON public.company USING btree (business_id) WHERE (business_id IS NOT NULL);
CREATE INDEX company_name_start ON public.company USING btree (lower(name) text_pattern_ops);
CREATE INDEX company_name_words ON public.company USING gin (to_tsvector('simple'::regconfig, translate(name, './-_@&+:«»“”„’—–'::text, '                '::text)));
CREATE TRIGGER company_suspended AFTER UPDATE OF suspended_at, sender_name ON public.company FOR EACH STATEMENT EXECUTE FUNCTION count_key_change();

create table company_view (
  id text not null,
  token_hash bytea not null,
  operator_session_id text not null,
  company_id bigint not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  ends_at timestamp with time zone not null,
  constraint company_view_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint company_view_operator_session_id_fkey FOREIGN KEY (operator_session_id) REFERENCES operator_session(id) ON DELETE CASCADE,
  constraint company_view_pkey PRIMARY KEY (id),
  constraint company_view_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX company_view_session ON public.company_view USING btree (operator_session_id);

create table correction (
  id uuid not null,
  company_id bigint not null,
  reason text not null,
  constraint correction_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 500))),
  constraint correction_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint correction_pkey PRIMARY KEY (id)
);

create table correction_request (
  id uuid not null,
  request_id text not null,
  company_id bigint not null,
  amount bigint not null,
  reason text not null,
  asked_by text not null,
  asked_at timestamp with time zone not null default clock_timestamp(),
  expires_at timestamp with time zone,
  decided_by text,
  decided_at timestamp with time zone,
  cause uuid,
  constraint correction_request_amount_check CHECK ((amount <> 0)),
  constraint correction_request_check CHECK ((decided_by <> asked_by)),
  constraint correction_request_check1 CHECK (((decided_by IS NULL) = (decided_at IS NULL))),
  constraint correction_request_check2 CHECK (((cause IS NULL) OR (expires_at IS NULL) OR (decided_by IS NOT NULL))),
  constraint correction_request_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 500))),
  constraint correction_request_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES operator(person_id),
  constraint correction_request_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint correction_request_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES operator(person_id),
  constraint correction_request_pkey PRIMARY KEY (id),
  constraint correction_request_cause_key UNIQUE (cause),
  constraint correction_request_request_id_key UNIQUE (request_id)
);
CREATE INDEX correction_request_asked ON public.correction_request USING btree (asked_by, asked_at);
CREATE INDEX correction_request_company ON public.correction_request USING btree (company_id, asked_at);
CREATE INDEX correction_request_waiting ON public.correction_request USING btree (expires_at) WHERE ((decided_at IS NULL) AND (expires_at IS NOT NULL));

create table counted_hour (
  company_id bigint not null,
  hour timestamp with time zone not null,
  counted_at timestamp with time zone not null,
  live_times integer[] not null,
  test_times integer[] not null,
  constraint counted_hour_pkey PRIMARY KEY (company_id, hour)
);

create table early_receipt (
  company_id bigint not null,
  message_id uuid not null,
  attempt smallint not null,
  receipt receipt not null,
  reason text,
  at timestamp with time zone not null,
  provider text
);
CREATE INDEX early_receipt_message ON public.early_receipt USING btree (company_id, message_id);

create table entry (
  company_id bigint not null,
  kind entry_kind not null,
  cause uuid not null,
  amount bigint not null,
  messages integer not null default 0,
  balance_after bigint not null,
  created_at timestamp with time zone not null,
  number bigint not null,
  constraint entry_amount_check CHECK ((amount <> 0)),
  constraint entry_balance_after_check CHECK ((balance_after >= 0)),
  constraint entry_pkey PRIMARY KEY (company_id, kind, cause)
) partition by RANGE (cause);
CREATE INDEX entry_number ON ONLY public.entry USING btree (company_id, number);
CREATE INDEX entry_number_no_charge ON ONLY public.entry USING btree (company_id, number) WHERE (kind <> ALL (ARRAY['charge'::entry_kind, 'charge_moved'::entry_kind]));
CREATE TRIGGER entry_is_final BEFORE DELETE OR UPDATE ON public.entry FOR EACH ROW EXECUTE FUNCTION refuse_entry_change();
CREATE TRIGGER entry_is_kept BEFORE TRUNCATE ON public.entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_entry_change();

create table figure_count (
  day date not null,
  counted_at timestamp with time zone not null,
  constraint figure_count_pkey PRIMARY KEY (day)
);

create table figure_day (
  day date not null,
  item text not null,
  provider text not null,
  prefix text not null,
  sends integer not null,
  delivered integer not null,
  failed integer not null,
  charged bigint not null,
  carried integer not null,
  constraint figure_day_item_check CHECK ((item = ANY (ARRAY['whatsapp'::text, 'telegram'::text, 'sms'::text, 'group'::text]))),
  constraint figure_day_pkey PRIMARY KEY (day, item, provider, prefix)
);

create table fiscal_receipt (
  id uuid not null,
  payment_id uuid not null,
  company_id bigint not null,
  is_return boolean not null,
  amount bigint not null,
  state fiscal_state not null default 'waiting'::fiscal_state,
  tries integer not null default 0,
  next_try_at timestamp with time zone,
  error text,
  created_at timestamp with time zone not null,
  registered_at timestamp with time zone,
  number text,
  url text,
  basis jsonb,
  constraint fiscal_receipt_amount_check CHECK ((amount > 0)),
  constraint fiscal_receipt_check CHECK (((state = 'waiting'::fiscal_state) = (next_try_at IS NOT NULL))),
  constraint fiscal_receipt_check1 CHECK (((state = 'registered'::fiscal_state) = (number IS NOT NULL))),
  constraint fiscal_receipt_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint fiscal_receipt_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id),
  constraint fiscal_receipt_pkey PRIMARY KEY (id)
);
CREATE INDEX fiscal_receipt_due ON public.fiscal_receipt USING btree (next_try_at) WHERE (next_try_at IS NOT NULL);
CREATE INDEX fiscal_receipt_payment ON public.fiscal_receipt USING btree (payment_id);

create table fiscal_register (
  name text not null,
  since timestamp with time zone not null,
  last_receipt_number bigint not null,
  leased_until timestamp with time zone not null,
  shift_since timestamp with time zone,
  constraint fiscal_register_pkey PRIMARY KEY (name)
);

create table group_invitation (
  token_hash bytea not null,
  company_id bigint not null,
  invited_by text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  ends_at timestamp with time zone not null,
  chat_id text,
  channel channel not null,
  constraint group_invitation_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint group_invitation_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES person(id),
  constraint group_invitation_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX group_invitation_company ON public.group_invitation USING btree (company_id, chat_id);

create table guard_count (
  minute timestamp with time zone not null,
  company_id bigint not null,
  prefix text not null,
  sent integer not null,
  verified integer not null,
  constraint guard_count_pkey PRIMARY KEY (minute, company_id, prefix)
) with (fillfactor=60);

create table guard_decision (
  minute timestamp with time zone not null,
  company_id bigint not null,
  prefix text not null,
  sent integer not null,
  verified integer not null,
  bound double precision not null,
  action guard_action not null,
  sends integer not null,
  probes integer not null,
  constraint guard_decision_pkey PRIMARY KEY (minute, company_id, prefix)
);
CREATE INDEX guard_decision_company ON public.guard_decision USING btree (company_id, minute);

create table guard_pardon (
  company_id bigint not null,
  prefix text not null,
  until timestamp with time zone not null,
  reason text not null,
  set_by text,
  constraint guard_pardon_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 500))),
  constraint guard_pardon_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint guard_pardon_pkey PRIMARY KEY (company_id, prefix)
);

create unlogged table handed_message (
  id uuid not null,
  provider text not null,
  take_until timestamp with time zone not null,
  sealed bytea not null,
  taken_by text,
  outcome jsonb,
  is_given_up boolean not null default false,
  constraint handed_message_pkey PRIMARY KEY (id)
) with (fillfactor=50);
CREATE INDEX handed_message_provider_take_until_idx ON public.handed_message USING btree (provider, take_until) WHERE (taken_by IS NULL);

create table idempotency (
  key_id bigint not null,
  path text not null,
  idempotency_key text not null,
  body_hash bytea not null,
  subject uuid not null,
  status smallint,
  answer text,
  created_at timestamp with time zone not null,
  company_id bigint,
  constraint idempotency_pkey PRIMARY KEY (key_id, path, idempotency_key)
);
CREATE INDEX idempotency_age ON public.idempotency USING btree (created_at);
CREATE INDEX idempotency_subject ON public.idempotency USING btree (subject);

create table incident (
  id bigint not null generated always as identity,
  title_ru text not null,
  title_kk text,
  title_en text,
  impact incident_impact not null,
  components text[] not null,
  state incident_state not null,
  started_at timestamp with time zone not null,
  published_at timestamp with time zone,
  resolved_at timestamp with time zone,
  planned_from timestamp with time zone,
  planned_until timestamp with time zone,
  constraint incident_check CHECK (((state = 'resolved'::incident_state) = (resolved_at IS NOT NULL))),
  constraint incident_check1 CHECK (((planned_from IS NULL) = (planned_until IS NULL))),
  constraint incident_check2 CHECK ((planned_from < planned_until)),
  constraint incident_components_check CHECK ((cardinality(components) >= 1)),
  constraint incident_title_en_check CHECK (((length(title_en) >= 1) AND (length(title_en) <= 200))),
  constraint incident_title_kk_check CHECK (((length(title_kk) >= 1) AND (length(title_kk) <= 200))),
  constraint incident_title_ru_check CHECK (((length(title_ru) >= 1) AND (length(title_ru) <= 200))),
  constraint incident_pkey PRIMARY KEY (id)
);

create table incident_update (
  incident_id bigint not null,
  number integer not null,
  at timestamp with time zone not null,
  state incident_state not null,
  text_ru text not null,
  text_kk text,
  text_en text,
  written_by text,
  constraint incident_update_text_en_check CHECK (((length(text_en) >= 1) AND (length(text_en) <= 2000))),
  constraint incident_update_text_kk_check CHECK (((length(text_kk) >= 1) AND (length(text_kk) <= 2000))),
  constraint incident_update_text_ru_check CHECK (((length(text_ru) >= 1) AND (length(text_ru) <= 2000))),
  constraint incident_update_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES incident(id) ON DELETE CASCADE,
  constraint incident_update_pkey PRIMARY KEY (incident_id, number)
);

create table installation (
  name text not null,
  value text not null,
  constraint installation_pkey PRIMARY KEY (name)
);

create table invitation (
  company_id bigint not null,
  id bigint not null generated always as identity,
  role text not null,
  token_hash bytea not null,
  note text,
  invited_by text,
  created_at timestamp with time zone not null default clock_timestamp(),
  ends_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  constraint invitation_note_check CHECK ((length(note) <= 200)),
  constraint invitation_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'manager'::text, 'developer'::text, 'accountant'::text, 'marketer'::text, 'support'::text, 'viewer'::text]))),
  constraint invitation_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint invitation_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES person(id),
  constraint invitation_pkey PRIMARY KEY (company_id, id),
  constraint invitation_token_hash_key UNIQUE (token_hash)
);

create table key_day_spend (
  company_id bigint not null,
  key_id bigint not null,
  day date not null,
  spent bigint not null default 0,
  is_counted boolean not null default true,
  constraint key_day_spend_check CHECK (((spent >= 0) OR (NOT is_counted))),
  constraint key_day_spend_pkey PRIMARY KEY (company_id, key_id, day)
);

create table key_spend (
  company_id bigint not null,
  key_id bigint not null,
  month date not null,
  spent bigint not null default 0,
  is_counted boolean not null default true,
  constraint key_spend_check CHECK (((spent >= 0) OR (NOT is_counted))),
  constraint key_spend_pkey PRIMARY KEY (company_id, key_id, month)
);

create table key_use (
  key_id bigint not null,
  used_at timestamp with time zone not null,
  previous_used_at timestamp with time zone,
  company_id bigint,
  constraint key_use_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_key(id),
  constraint key_use_pkey PRIMARY KEY (key_id)
);

create table key_version (
  id boolean not null default true,
  version bigint not null,
  constraint key_version_id_check CHECK (id),
  constraint key_version_pkey PRIMARY KEY (id)
);

create table letter_link (
  token_hash bytea not null,
  kind text not null,
  email text not null,
  person_id text,
  name text,
  password_hash text,
  language text,
  ends_at timestamp with time zone not null,
  constraint letter_link_kind_check CHECK ((kind = ANY (ARRAY['sign_up'::text, 'new_email'::text, 'new_password'::text]))),
  constraint letter_link_language_check CHECK ((language = ANY (ARRAY['ru'::text, 'kk'::text, 'en'::text]))),
  constraint letter_link_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE,
  constraint letter_link_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX letter_link_end ON public.letter_link USING btree (ends_at);

create table link (
  slug_key text not null,
  slug text not null,
  company_id bigint not null,
  url text not null,
  message_id uuid,
  recipient bigint,
  created_at timestamp with time zone not null default clock_timestamp(),
  expires_at timestamp with time zone,
  disabled_at timestamp with time zone,
  is_barred boolean not null default false,
  clicks_until timestamp with time zone,
  tags text[],
  constraint link_check CHECK ((lower(slug) = slug_key)),
  constraint link_pkey PRIMARY KEY (slug_key)
);
CREATE INDEX link_company ON public.link USING btree (company_id, created_at DESC);
CREATE INDEX link_tagged ON public.link USING btree (company_id, created_at DESC) WHERE (tags IS NOT NULL);

create table link_change (
  company_id bigint not null,
  slug_key text not null,
  id bigint not null generated always as identity,
  at timestamp with time zone not null default clock_timestamp(),
  person_name text,
  url_before text not null,
  url_after text not null,
  expires_before timestamp with time zone,
  expires_after timestamp with time zone,
  constraint link_change_pkey PRIMARY KEY (company_id, slug_key, id)
);

create table list_member (
  id bigint not null generated always as identity,
  list_id bigint not null,
  phone bigint not null,
  company_id bigint not null,
  cells text[] not null default '{}'::text[],
  tags text[] not null default '{}'::text[],
  has_consent boolean,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  constraint list_member_list_id_fkey FOREIGN KEY (list_id) REFERENCES recipient_list(id) ON DELETE CASCADE,
  constraint list_member_pkey PRIMARY KEY (list_id, phone)
);
CREATE UNIQUE INDEX list_member_id ON public.list_member USING btree (list_id, id);
CREATE INDEX list_member_tags ON public.list_member USING gin (tags);

create table member (
  company_id bigint not null,
  person_id text not null,
  role text not null,
  joined_at timestamp with time zone not null default clock_timestamp(),
  constraint member_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'manager'::text, 'developer'::text, 'accountant'::text, 'marketer'::text, 'support'::text, 'viewer'::text]))),
  constraint member_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint member_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  constraint member_pkey PRIMARY KEY (company_id, person_id)
);
CREATE INDEX member_person ON public.member USING btree (person_id, company_id);

create table message (
  company_id bigint not null,
  id uuid not null,
  key_id bigint not null,
  kind message_kind not null,
  is_test boolean not null,
  recipient bigint not null,
  state message_state not null,
  receipt receipt,
  channel channel,
  route text not null default ''::text,
  attempt smallint not null default 1,
  hold integer not null default 0,
  charged integer not null default 0,
  created_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  receipt_at timestamp with time zone,
  delivered_at timestamp with time zone,
  next_check_at timestamp with time zone not null,
  purpose text,
  reason text,
  provider_id text,
  slug text,
  body text,
  request_id text not null,
  pending_price integer,
  constraint message_charged_check CHECK ((charged >= 0)),
  constraint message_check CHECK (((body IS NULL) OR (kind <> 'otp'::message_kind))),
  constraint message_hold_check CHECK ((hold >= 0)),
  constraint message_pending_price_check CHECK ((pending_price >= 0)),
  constraint message_pkey PRIMARY KEY (company_id, id)
) partition by RANGE (id);
CREATE INDEX message_next_check ON ONLY public.message USING btree (next_check_at);
CREATE INDEX message_recipient ON ONLY public.message USING btree (company_id, recipient, id);

create table message_view (
  company_id bigint not null,
  id bigint not null generated always as identity,
  person_id text not null,
  name text not null,
  filter jsonb not null,
  constraint message_view_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint message_view_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint message_view_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  constraint message_view_pkey PRIMARY KEY (company_id, id),
  constraint message_view_company_id_person_id_name_key UNIQUE (company_id, person_id, name)
);

create table messenger_group (
  id bigint not null generated always as identity,
  company_id bigint not null,
  channel channel not null,
  name text not null,
  chat_id text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  posted_at timestamp with time zone,
  constraint messenger_group_channel_check CHECK ((channel <> 'sms'::channel)),
  constraint messenger_group_chat_id_check CHECK (((length(chat_id) >= 1) AND (length(chat_id) <= 128))),
  constraint messenger_group_name_check CHECK (((length(name) >= 1) AND (length(name) <= 128))),
  constraint messenger_group_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint messenger_group_pkey PRIMARY KEY (id),
  constraint messenger_group_company_id_channel_chat_id_key UNIQUE (company_id, channel, chat_id)
);
CREATE UNIQUE INDEX messenger_group_name ON public.messenger_group USING btree (company_id, channel, lower(name));

create unlogged table node_state (
  node text not null,
  version text not null,
  started_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  providers jsonb not null,
  mode text,
  role text,
  host text,
  pid integer,
  constraint node_state_pkey PRIMARY KEY (node)
);

create table operator (
  person_id text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  created_by text,
  joined_at timestamp with time zone,
  removed_at timestamp with time zone,
  constraint operator_created_by_fkey FOREIGN KEY (created_by) REFERENCES person(id),
  constraint operator_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  constraint operator_pkey PRIMARY KEY (person_id)
);

create table operator_audit (
  id bigint not null,
  at timestamp with time zone not null,
  person_id text,
  person_name text,
  action text not null,
  object text not null,
  company_id bigint,
  before jsonb,
  after jsonb,
  address text,
  device text,
  request_id text,
  hash bytea not null,
  constraint operator_audit_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint operator_audit_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  constraint operator_audit_pkey PRIMARY KEY (id)
);
CREATE INDEX operator_audit_company ON public.operator_audit USING btree (company_id, id) WHERE (company_id IS NOT NULL);
CREATE TRIGGER operator_audit_is_chained BEFORE INSERT ON public.operator_audit FOR EACH ROW EXECUTE FUNCTION chain_operator_audit();
CREATE TRIGGER operator_audit_is_final BEFORE DELETE OR UPDATE ON public.operator_audit FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER operator_audit_is_kept BEFORE TRUNCATE ON public.operator_audit FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

create table operator_session (
  id text not null,
  token_hash bytea not null,
  person_id text not null,
  address text,
  device text,
  created_at timestamp with time zone not null default clock_timestamp(),
  seen_at timestamp with time zone not null default clock_timestamp(),
  ends_at timestamp with time zone not null,
  proven_at timestamp with time zone,
  constraint operator_session_person_id_fkey FOREIGN KEY (person_id) REFERENCES operator(person_id) ON DELETE CASCADE,
  constraint operator_session_pkey PRIMARY KEY (id),
  constraint operator_session_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX operator_session_person ON public.operator_session USING btree (person_id);

create table operator_welcome (
  token_hash bytea not null,
  person_id text not null,
  ends_at timestamp with time zone not null,
  constraint operator_welcome_person_id_fkey FOREIGN KEY (person_id) REFERENCES operator(person_id) ON DELETE CASCADE,
  constraint operator_welcome_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX operator_welcome_person ON public.operator_welcome USING btree (person_id);

create table paper_number (
  kind text not null,
  last bigint not null,
  constraint paper_number_pkey PRIMARY KEY (kind)
);

create table passkey (
  id text not null,
  credential_id text not null,
  person_id text not null,
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}'::text[],
  created_at timestamp with time zone not null default clock_timestamp(),
  used_at timestamp with time zone,
  constraint passkey_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint passkey_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE,
  constraint passkey_pkey PRIMARY KEY (id),
  constraint passkey_credential_id_key UNIQUE (credential_id)
);
CREATE INDEX passkey_person ON public.passkey USING btree (person_id);

create unlogged table passkey_challenge (
  challenge_hash bytea not null,
  use text not null,
  browser_hash bytea not null,
  person_id text,
  ends_at timestamp with time zone not null,
  constraint passkey_challenge_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE,
  constraint passkey_challenge_pkey PRIMARY KEY (challenge_hash)
);
CREATE INDEX passkey_challenge_end ON public.passkey_challenge USING btree (ends_at);

create table payment (
  id uuid not null,
  company_id bigint not null,
  order_id uuid,
  provider text not null,
  provider_payment_id text not null,
  amount bigint not null,
  bonus bigint not null default 0,
  payer_name text,
  payer_business_id text,
  paid_at timestamp with time zone not null,
  credited_at timestamp with time zone not null,
  is_late boolean not null default false,
  is_repeated boolean not null default false,
  is_other_amount boolean not null default false,
  refunded bigint not null default 0,
  receipt_number bigint not null,
  constraint payment_amount_check CHECK ((amount > 0)),
  constraint payment_bonus_check CHECK ((bonus >= 0)),
  constraint payment_check CHECK (((refunded >= 0) AND (refunded <= amount))),
  constraint payment_payer_business_id_check CHECK ((payer_business_id ~ '^[0-9]{12}$'::text)),
  constraint payment_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint payment_order_id_fkey FOREIGN KEY (order_id) REFERENCES payment_order(id),
  constraint payment_pkey PRIMARY KEY (id),
  constraint payment_provider_provider_payment_id_key UNIQUE (provider, provider_payment_id),
  constraint payment_receipt_number_key UNIQUE (receipt_number)
);
CREATE INDEX payment_company ON public.payment USING btree (company_id, id);
CREATE INDEX payment_credited ON public.payment USING btree (company_id, credited_at);
CREATE INDEX payment_flagged ON public.payment USING btree (id) WHERE (is_late OR is_repeated OR is_other_amount);
CREATE INDEX payment_order_payments ON public.payment USING btree (order_id);

create table payment_notice (
  id uuid not null,
  provider text not null,
  received_at timestamp with time zone not null,
  body text not null,
  handled_at timestamp with time zone,
  outcome text,
  reference text not null,
  content jsonb not null,
  tries integer not null default 0,
  next_try_at timestamp with time zone,
  constraint payment_notice_pkey PRIMARY KEY (id)
);
CREATE INDEX payment_notice_due ON public.payment_notice USING btree (next_try_at) WHERE (next_try_at IS NOT NULL);
CREATE INDEX payment_notice_odd ON public.payment_notice USING btree (id) WHERE ((handled_at IS NULL) OR (outcome = ANY (ARRAY['unknown_order'::text, 'other_order'::text, 'manual'::text])));
CREATE INDEX payment_notice_reference ON public.payment_notice USING btree (reference, id);

create table payment_order (
  id uuid not null,
  company_id bigint not null,
  reference text not null,
  provider text not null,
  amount bigint not null,
  payer_name text not null,
  payer_business_id text,
  state payment_order_state not null default 'pending'::payment_order_state,
  provider_id text,
  qr text,
  pay_url text,
  created_by text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  next_check_at timestamp with time zone,
  checks integer not null default 0,
  closed_at timestamp with time zone,
  request_id text,
  constraint payment_order_amount_check CHECK ((amount > 0)),
  constraint payment_order_payer_business_id_check CHECK ((payer_business_id ~ '^[0-9]{12}$'::text)),
  constraint payment_order_payer_name_check CHECK (((length(payer_name) >= 1) AND (length(payer_name) <= 200))),
  constraint payment_order_reference_check CHECK ((reference ~ '^[A-Z0-9-]{6,20}$'::text)),
  constraint payment_order_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint payment_order_created_by_fkey FOREIGN KEY (created_by) REFERENCES person(id),
  constraint payment_order_pkey PRIMARY KEY (id),
  constraint payment_order_provider_provider_id_key UNIQUE (provider, provider_id),
  constraint payment_order_reference_key UNIQUE (reference)
);
CREATE INDEX payment_order_company ON public.payment_order USING btree (company_id, id);
CREATE INDEX payment_order_due ON public.payment_order USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE INDEX payment_order_ending ON public.payment_order USING btree (expires_at) WHERE (state = ANY (ARRAY['pending'::payment_order_state, 'checking'::payment_order_state]));
CREATE INDEX payment_order_manual ON public.payment_order USING btree (id) WHERE (state = 'manual'::payment_order_state);
CREATE INDEX payment_order_open ON public.payment_order USING btree (company_id, id) WHERE (state = ANY (ARRAY['pending'::payment_order_state, 'checking'::payment_order_state, 'manual'::payment_order_state]));
CREATE UNIQUE INDEX payment_order_request ON public.payment_order USING btree (company_id, request_id);

create table payment_review (
  id uuid not null,
  kind text not null,
  note text,
  reviewed_by text not null,
  reviewed_at timestamp with time zone not null default clock_timestamp(),
  constraint payment_review_kind_check CHECK ((kind = ANY (ARRAY['line'::text, 'notice'::text, 'payment'::text]))),
  constraint payment_review_note_check CHECK (((length(note) >= 1) AND (length(note) <= 500))),
  constraint payment_review_pkey PRIMARY KEY (id)
);

create table person (
  id text not null,
  name text not null,
  email text,
  phone bigint,
  password_hash text,
  language text,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  blocked_at timestamp with time zone,
  blocked_because text,
  constraint person_email_check CHECK ((email = lower(email))),
  constraint person_language_check CHECK ((language = ANY (ARRAY['ru'::text, 'kk'::text, 'en'::text]))),
  constraint person_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint person_pkey PRIMARY KEY (id),
  constraint person_email_key UNIQUE (email),
  constraint person_phone_key UNIQUE (phone)
);
CREATE INDEX person_email_start ON public.person USING btree (email text_pattern_ops) WHERE (email IS NOT NULL);

create table ported_number (
  phone bigint not null,
  operator text not null,
  constraint ported_number_pkey PRIMARY KEY (phone)
);

create table price_revision (
  id boolean not null default true,
  revision bigint not null,
  constraint price_revision_id_check CHECK (id),
  constraint price_revision_pkey PRIMARY KEY (id)
);

create table price_version (
  id bigint not null generated always as identity,
  item text not null,
  company_id bigint,
  tokens integer,
  valid_from timestamp with time zone not null,
  set_by text,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint price_version_check CHECK (((tokens IS NOT NULL) OR (company_id IS NOT NULL))),
  constraint price_version_item_check CHECK ((item = ANY (ARRAY['whatsapp'::text, 'telegram'::text, 'sms'::text, 'group'::text]))),
  constraint price_version_tokens_check CHECK ((tokens >= 0)),
  constraint price_version_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint price_version_pkey PRIMARY KEY (id)
);
CREATE TRIGGER price_version_added AFTER INSERT ON public.price_version FOR EACH STATEMENT EXECUTE FUNCTION count_price_change();
CREATE TRIGGER price_version_is_final BEFORE DELETE OR UPDATE ON public.price_version FOR EACH ROW EXECUTE FUNCTION refuse_price_change();
CREATE TRIGGER price_version_is_kept BEFORE TRUNCATE ON public.price_version FOR EACH STATEMENT EXECUTE FUNCTION refuse_price_change();

create table price_withdrawal (
  version_id bigint not null,
  withdrawn_by text,
  withdrawn_at timestamp with time zone not null default clock_timestamp(),
  constraint price_withdrawal_version_id_fkey FOREIGN KEY (version_id) REFERENCES price_version(id),
  constraint price_withdrawal_pkey PRIMARY KEY (version_id)
);
CREATE TRIGGER price_withdrawal_is_final BEFORE DELETE OR UPDATE ON public.price_withdrawal FOR EACH ROW EXECUTE FUNCTION refuse_price_change();
CREATE TRIGGER price_withdrawn AFTER INSERT ON public.price_withdrawal FOR EACH STATEMENT EXECUTE FUNCTION count_price_change();

create table provider_cost (
  provider text not null,
  item text not null,
  valid_from date not null,
  cost_tiyn integer not null,
  set_by text,
  set_at timestamp with time zone not null default clock_timestamp(),
  constraint provider_cost_cost_tiyn_check CHECK ((cost_tiyn >= 0)),
  constraint provider_cost_item_check CHECK ((item = ANY (ARRAY['whatsapp'::text, 'telegram'::text, 'sms'::text, 'group'::text]))),
  constraint provider_cost_pkey PRIMARY KEY (provider, item, valid_from)
);

create table provider_lease (
  provider text not null,
  node text not null,
  until timestamp with time zone not null,
  constraint provider_lease_pkey PRIMARY KEY (provider)
) with (fillfactor=50);

create unlogged table provider_minute (
  minute timestamp with time zone not null,
  provider text not null,
  accepted integer not null,
  refused integer not null,
  unavailable integer not null,
  unknown integer not null,
  skipped integer not null,
  constraint provider_minute_pkey PRIMARY KEY (minute, provider)
) with (fillfactor=60);

create table provider_ref (
  provider_id text not null,
  company_id bigint,
  message_id uuid,
  attempt smallint,
  parts smallint not null default 1,
  receipt receipt,
  reason text,
  created_at timestamp with time zone not null default clock_timestamp(),
  phone_tail bigint not null default 0,
  folded_id text,
  constraint provider_ref_pkey PRIMARY KEY (provider_id, phone_tail)
);
CREATE INDEX provider_ref_age ON public.provider_ref USING btree (created_at);
CREATE INDEX provider_ref_folded ON public.provider_ref USING btree (folded_id) WHERE (folded_id IS NOT NULL);
CREATE INDEX provider_ref_parts ON public.provider_ref USING btree (message_id, attempt) WHERE (parts > 1);

create table recent_sends (
  company_id bigint not null,
  recipient bigint not null,
  kind message_kind not null,
  recent timestamp with time zone[] not null,
  last_message uuid,
  is_test boolean not null default false,
  constraint recent_sends_pkey PRIMARY KEY (recipient, company_id, kind, is_test)
) with (fillfactor=85);

create table recipient_list (
  id bigint not null generated always as identity,
  company_id bigint not null,
  name text not null,
  columns text[] not null default '{}'::text[],
  members integer not null default 0,
  tags jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  constraint recipient_list_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint recipient_list_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint recipient_list_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX recipient_list_name ON public.recipient_list USING btree (company_id, lower(name));

create table recovery_code (
  person_id text not null,
  mac bytea not null,
  constraint recovery_code_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE,
  constraint recovery_code_pkey PRIMARY KEY (person_id, mac)
);

create table refund (
  id uuid not null,
  payment_id uuid not null,
  company_id bigint not null,
  amount bigint not null,
  taken bigint not null,
  owed bigint not null,
  bonus bigint not null default 0,
  debt_cancelled bigint not null default 0,
  state refund_state not null,
  reason text not null,
  asked_by text,
  provider_refund_id text,
  asked_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  next_try_at timestamp with time zone,
  tries integer not null default 0,
  constraint refund_amount_check CHECK ((amount > 0)),
  constraint refund_bonus_check CHECK ((bonus >= 0)),
  constraint refund_check CHECK (((taken + owed) = (amount + bonus))),
  constraint refund_check1 CHECK (((debt_cancelled >= 0) AND (debt_cancelled <= owed))),
  constraint refund_owed_check CHECK ((owed >= 0)),
  constraint refund_taken_check CHECK ((taken >= 0)),
  constraint refund_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint refund_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id),
  constraint refund_pkey PRIMARY KEY (id),
  constraint refund_payment_id_provider_refund_id_key UNIQUE (payment_id, provider_refund_id)
);
CREATE INDEX refund_due ON public.refund USING btree (next_try_at) WHERE (next_try_at IS NOT NULL);
CREATE INDEX refund_open ON public.refund USING btree (id) WHERE (state = 'asked'::refund_state);

create table removed_month (
  company_id bigint not null,
  month date not null,
  messages bigint not null,
  charged bigint not null,
  constraint removed_month_pkey PRIMARY KEY (company_id, month)
);

create table request_log (
  company_id bigint not null,
  at timestamp with time zone not null,
  key_id bigint not null,
  request_id text not null,
  path text not null,
  status smallint not null,
  error_code text,
  duration_ms integer not null,
  phone text,
  channel text,
  message_id uuid,
  recipient bigint,
  request_body text,
  answer_body text
) partition by RANGE (at);
CREATE INDEX request_log_company ON ONLY public.request_log USING btree (company_id, at);
CREATE INDEX request_log_phone ON ONLY public.request_log USING btree (phone, at) WHERE (phone IS NOT NULL);
CREATE INDEX request_log_request ON ONLY public.request_log USING btree (company_id, request_id);

create table sandbox_bank_order (
  reference text not null,
  amount bigint not null,
  description text not null,
  expires_at timestamp with time zone not null,
  cancelled_at timestamp with time zone,
  constraint sandbox_bank_order_amount_check CHECK ((amount > 0)),
  constraint sandbox_bank_order_pkey PRIMARY KEY (reference)
);

create table sandbox_bank_payment (
  id text not null,
  reference text not null,
  amount bigint not null,
  paid_at timestamp with time zone not null,
  refunded bigint not null default 0,
  refund_ids text[] not null default '{}'::text[],
  notified_at timestamp with time zone,
  constraint sandbox_bank_payment_amount_check CHECK ((amount > 0)),
  constraint sandbox_bank_payment_check CHECK (((refunded >= 0) AND (refunded <= amount))),
  constraint sandbox_bank_payment_reference_fkey FOREIGN KEY (reference) REFERENCES sandbox_bank_order(reference),
  constraint sandbox_bank_payment_pkey PRIMARY KEY (id)
);
CREATE INDEX sandbox_bank_payment_order ON public.sandbox_bank_payment USING btree (reference, id);

create unlogged table sandbox_news (
  node text not null,
  number bigint not null,
  at timestamp with time zone not null default clock_timestamp(),
  sealed bytea not null,
  constraint sandbox_news_pkey PRIMARY KEY (node, number)
);

create table schema_file (
  kind text not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default clock_timestamp(),
  constraint schema_file_kind_check CHECK ((kind = ANY (ARRAY['table'::text, 'function'::text]))),
  constraint schema_file_pkey PRIMARY KEY (kind, name)
);

create table second_factor (
  person_id text not null,
  sealed_secret bytea not null,
  last_step bigint not null default 0,
  confirmed_at timestamp with time zone,
  constraint second_factor_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE,
  constraint second_factor_pkey PRIMARY KEY (person_id)
);

create table security_event (
  person_id text not null,
  at timestamp with time zone not null default clock_timestamp(),
  kind text not null,
  detail text,
  address text,
  device text,
  constraint security_event_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE
);
CREATE INDEX security_event_age ON public.security_event USING btree (at);
CREATE INDEX security_event_person ON public.security_event USING btree (person_id, at DESC);

create table sender_name (
  name text not null,
  registered_at timestamp with time zone not null default clock_timestamp(),
  note text,
  constraint sender_name_name_check CHECK (((name ~ '^[A-Za-z0-9 ._-]{3,11}$'::text) AND (name ~ '[A-Za-z]'::text) AND (name = btrim(name)))),
  constraint sender_name_note_check CHECK ((length(note) <= 200)),
  constraint sender_name_pkey PRIMARY KEY (name)
);

create table session (
  id text not null,
  token_hash bytea not null,
  person_id text not null,
  company_id bigint,
  address text,
  device text,
  created_at timestamp with time zone not null default clock_timestamp(),
  expires_at timestamp with time zone not null,
  seen_at timestamp with time zone not null default clock_timestamp(),
  confirmed_at timestamp with time zone not null default clock_timestamp(),
  second_factor_at timestamp with time zone,
  proven_at timestamp with time zone,
  constraint session_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint session_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE,
  constraint session_pkey PRIMARY KEY (id),
  constraint session_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX session_person ON public.session USING btree (person_id);

create unlogged table sign_in_limit (
  subject bytea not null,
  recent timestamp with time zone[] not null,
  constraint sign_in_limit_pkey PRIMARY KEY (subject)
);

create table sms_attempt (
  company_id bigint not null,
  message_id uuid not null,
  number smallint not null,
  parts smallint not null,
  why text,
  operator text,
  constraint sms_attempt_why_check CHECK ((why = ANY (ARRAY['operator'::text, 'price'::text, 'delivery'::text, 'sample'::text, 'order'::text, 'failover'::text]))),
  constraint sms_attempt_pkey PRIMARY KEY (company_id, message_id, number)
) partition by RANGE (message_id);

create table spend_hour (
  company_id bigint not null,
  hour timestamp with time zone not null,
  kind message_kind not null,
  purpose text,
  charged bigint not null,
  constraint spend_hour_company_id_hour_kind_purpose_key UNIQUE NULLS NOT DISTINCT (company_id, hour, kind, purpose)
);

create table status_day (
  day date not null,
  component text not null,
  measured integer not null,
  degraded integer not null,
  partial integer not null,
  major integer not null,
  maintenance integer not null,
  constraint status_day_check CHECK ((((degraded + partial) + major) <= measured)),
  constraint status_day_measured_check CHECK ((measured >= 0)),
  constraint status_day_pkey PRIMARY KEY (day, component)
);

create table status_minute (
  minute timestamp with time zone not null,
  component text not null,
  source text not null,
  good integer not null,
  bad integer not null,
  constraint status_minute_bad_check CHECK ((bad >= 0)),
  constraint status_minute_good_check CHECK ((good >= 0)),
  constraint status_minute_source_check CHECK ((source = ANY (ARRAY['traffic'::text, 'probe'::text, 'outside'::text]))),
  constraint status_minute_pkey PRIMARY KEY (minute, component, source)
) with (fillfactor=60);

create table telegram_group (
  chat_id text not null,
  title text not null,
  joined_at timestamp with time zone not null default clock_timestamp(),
  left_at timestamp with time zone,
  constraint telegram_group_pkey PRIMARY KEY (chat_id)
);

create table telegram_person (
  chat_id text not null,
  phone bigint not null,
  name text not null,
  linked_at timestamp with time zone not null default clock_timestamp(),
  constraint telegram_person_pkey PRIMARY KEY (chat_id),
  constraint telegram_person_phone_key UNIQUE (phone)
);

create table unsubscribed (
  id bigint not null generated always as identity,
  phone bigint not null,
  company_id bigint,
  source text not null,
  broadcast_id uuid,
  at timestamp with time zone not null default clock_timestamp(),
  constraint unsubscribed_source_check CHECK ((source = ANY (ARRAY['link'::text, 'word'::text, 'provider'::text, 'company'::text, 'operator'::text]))),
  constraint unsubscribed_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint unsubscribed_pkey PRIMARY KEY (id),
  constraint unsubscribed_phone_company_id_key UNIQUE NULLS NOT DISTINCT (phone, company_id)
);
CREATE INDEX unsubscribed_broadcast ON public.unsubscribed USING btree (broadcast_id) WHERE (broadcast_id IS NOT NULL);
CREATE INDEX unsubscribed_company ON public.unsubscribed USING btree (company_id, id);

create table upkeep_position (
  table_name text not null,
  next_page bigint not null,
  constraint upkeep_position_pkey PRIMARY KEY (table_name)
);

create table usage_hour (
  company_id bigint not null,
  hour timestamp with time zone not null,
  key_id bigint not null,
  channel channel,
  sends integer not null,
  accepted integer not null,
  confirmed integer not null,
  failed integer not null,
  charged bigint not null,
  constraint usage_hour_company_id_hour_key_id_channel_key UNIQUE NULLS NOT DISTINCT (company_id, hour, key_id, channel)
);

create table watch (
  id boolean not null default true,
  checked_until timestamp with time zone not null default clock_timestamp(),
  swept_until timestamp with time zone not null default clock_timestamp(),
  sweep_to timestamp with time zone not null default clock_timestamp(),
  sweep_after xid8 not null default '0'::xid8,
  constraint watch_id_check CHECK (id),
  constraint watch_pkey PRIMARY KEY (id)
);

create table webhook_delivery (
  company_id bigint not null,
  endpoint_id bigint not null,
  event_id uuid not null,
  type text not null,
  state webhook_delivery_state not null,
  next_try_at timestamp with time zone,
  is_trying boolean not null default false,
  claim integer not null default 0,
  tries smallint not null default 0,
  tries_ever smallint not null default 0,
  last_try_at timestamp with time zone,
  outcome text,
  error text,
  status smallint,
  duration_ms integer,
  constraint webhook_delivery_check CHECK (((state = 'waiting'::webhook_delivery_state) = (next_try_at IS NOT NULL))),
  constraint webhook_delivery_pkey PRIMARY KEY (endpoint_id, event_id)
) with (fillfactor=80);
CREATE INDEX webhook_delivery_due ON public.webhook_delivery USING btree (endpoint_id, next_try_at) WHERE (state = 'waiting'::webhook_delivery_state);
CREATE INDEX webhook_delivery_state ON public.webhook_delivery USING btree (endpoint_id, state, event_id);
CREATE INDEX webhook_delivery_trying ON public.webhook_delivery USING btree (endpoint_id) WHERE is_trying;
CREATE INDEX webhook_delivery_type ON public.webhook_delivery USING btree (endpoint_id, type, state, event_id);

create table webhook_endpoint (
  id bigint not null generated always as identity,
  company_id bigint not null,
  url text not null,
  events text[] not null,
  description text not null default ''::text,
  shows_phones boolean not null default false,
  secret bytea,
  previous_secret bytea,
  previous_until timestamp with time zone,
  created_at timestamp with time zone not null default clock_timestamp(),
  created_by text,
  off_at timestamp with time zone,
  off_reason text,
  failing_since timestamp with time zone,
  has_timed_out boolean not null default false,
  paused_until timestamp with time zone,
  last_error_at timestamp with time zone,
  last_error text,
  last_status smallint,
  deleted_at timestamp with time zone,
  listener_until timestamp with time zone,
  constraint webhook_endpoint_check CHECK (((off_at IS NULL) = (off_reason IS NULL))),
  constraint webhook_endpoint_events_check CHECK ((cardinality(events) > 0)),
  constraint webhook_endpoint_off_reason_check CHECK ((off_reason = ANY (ARRAY['person'::text, 'failing'::text, 'gone'::text]))),
  constraint webhook_endpoint_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint webhook_endpoint_created_by_fkey FOREIGN KEY (created_by) REFERENCES person(id),
  constraint webhook_endpoint_pkey PRIMARY KEY (id)
);
CREATE INDEX webhook_endpoint_company ON public.webhook_endpoint USING btree (company_id, id) WHERE (deleted_at IS NULL);
CREATE INDEX webhook_endpoint_deleted ON public.webhook_endpoint USING btree (id) WHERE (deleted_at IS NOT NULL);
CREATE UNIQUE INDEX webhook_endpoint_listener ON public.webhook_endpoint USING btree (company_id) WHERE ((listener_until IS NOT NULL) AND (deleted_at IS NULL));

create table webhook_event (
  id uuid not null,
  company_id bigint not null,
  type text not null,
  at timestamp with time zone not null,
  is_test boolean not null,
  phone bigint,
  data jsonb not null,
  constraint webhook_event_pkey PRIMARY KEY (id)
);

create table webhook_hour (
  company_id bigint not null,
  endpoint_id bigint not null,
  hour timestamp with time zone not null,
  delivered integer not null default 0,
  refused integer not null default 0,
  timed_out integer not null default 0,
  unreachable integer not null default 0,
  blocked integer not null default 0,
  durations integer[] not null,
  constraint webhook_hour_pkey PRIMARY KEY (endpoint_id, hour)
) with (fillfactor=70);
CREATE INDEX webhook_hour_age ON public.webhook_hour USING btree (hour);

create table webhook_outbox (
  id uuid not null,
  company_id bigint not null,
  type text not null,
  at timestamp with time zone not null default clock_timestamp(),
  message_ids uuid[],
  channels text[],
  costs integer[],
  details text[],
  data jsonb,
  constraint webhook_outbox_pkey PRIMARY KEY (id)
) with (autovacuum_vacuum_threshold=200, autovacuum_vacuum_scale_factor=0);

create table webhook_try (
  company_id bigint not null,
  endpoint_id bigint not null,
  event_id uuid not null,
  number smallint not null,
  at timestamp with time zone not null,
  url text not null,
  has_phone boolean not null,
  signed_at bigint not null,
  signature text not null,
  outcome text not null,
  error text,
  status smallint,
  duration_ms integer not null,
  answer text,
  is_answer_cut boolean not null default false,
  constraint webhook_try_pkey PRIMARY KEY (endpoint_id, event_id, number)
);

create table welcomed (
  subject text not null,
  company_id bigint not null,
  at timestamp with time zone not null default clock_timestamp(),
  constraint welcomed_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint welcomed_pkey PRIMARY KEY (subject)
);
CREATE INDEX welcomed_company ON public.welcomed USING btree (company_id);

create table whatsapp_window (
  phone bigint not null,
  open_until timestamp with time zone not null,
  constraint whatsapp_window_pkey PRIMARY KEY (phone)
);

create view person_with_second_factor as
 SELECT second_factor.person_id
   FROM second_factor
  WHERE (second_factor.confirmed_at IS NOT NULL)
UNION ALL
 SELECT passkey.person_id
   FROM passkey;

create view price as
 SELECT DISTINCT ON (item) item,
    tokens,
    created_at AS changed_at
   FROM price_version v
  WHERE ((company_id IS NULL) AND (valid_from <= clock_timestamp()) AND (NOT (EXISTS ( SELECT
           FROM price_withdrawal w
          WHERE (w.version_id = v.id)))))
  ORDER BY item, valid_from DESC, id DESC;

-- function add_clicks(p_slug_key text[], p_company bigint[], p_message uuid[], p_recipient bigint[], p_is_robot boolean, p_is_scan boolean[], p_device text[], p_system text[], p_browser text[], p_country text[], p_city text[], p_referrer text[]) returns void set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off, plan_cache_mode=force_generic_plan;
-- function add_company_event(p_company bigint, p_type text, p_data jsonb) returns void;
-- function add_message_events(p_company bigint[], p_id uuid[], p_type text[], p_channel text[], p_cost integer[], p_detail text[]) returns void set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off, plan_cache_mode=force_generic_plan;
-- function add_up_clicks(p_company bigint, p_slug_key text, p_max integer) returns boolean set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off, plan_cache_mode=force_generic_plan;
-- function almaty_day(p_at timestamp with time zone) returns date;
-- function almaty_month(p_at timestamp with time zone) returns date;
-- function audit_hash(p_before bytea, p_record audit_record) returns bytea;
-- function chain_audit() returns trigger;
-- function chain_operator_audit() returns trigger;
-- function charge_deliveries(p_company bigint[], p_id uuid[], p_by_fallback boolean[]) returns void set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off, plan_cache_mode=force_generic_plan;
-- function claim_fallback(p_company bigint, p_id uuid, p_attempt integer, p_channel channel, p_route text, p_price integer, p_lease_seconds integer, p_is_quiet boolean) returns TABLE(verdict text, sealed bytea, code_seconds integer) set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off, plan_cache_mode=force_generic_plan;
-- function claim_recipients(p_broadcast uuid, p_key bigint, p_number integer[], p_id uuid[], p_body text[], p_skip text[], p_slug text[], p_route text[], p_prices text[], p_dearest integer[], p_url text, p_link_seconds integer, p_check_seconds integer, p_channel channel, p_rate double precision, p_step_seconds double precision) returns TABLE(ord integer, verdict text, held integer) set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off, plan_cache_mode=force_generic_plan;
-- function claim_webhooks(p_max integer, p_slow_max integer, p_share integer, p_lease_seconds integer, p_busy bigint[]) returns TABLE(endpoint_id bigint, event_id uuid, claim integer, tries smallint, is_slow boolean) set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off, plan_cache_mode=force_generic_plan;
-- function count_key_change() returns trigger;
-- function count_month_change() returns trigger;
-- function count_price_change() returns trigger;
-- function early_receipt_age() returns interval;
-- function end_watch(p_company bigint[], p_id uuid[]) returns void set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off, plan_cache_mode=force_generic_plan;
-- function expand_webhooks(p_rows_max integer, p_events_max integer, p_short_link_base text) returns integer;
-- function find_links(p_slug_keys text[]) returns TABLE(slug_key text, company_id bigint, url text, message_id uuid, recipient bigint, is_open boolean, is_suspended boolean, expires_ms double precision) set enable_seqscan=off, plan_cache_mode=force_generic_plan;
-- function find_sent(p_provider_id text[], p_phone bigint[]) returns TABLE(ord integer, company_id bigint, message_id uuid, attempt integer) set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off;
-- function first_entry_since(p_company bigint, p_at timestamp with time zone) returns bigint;
-- function folded_provider_id(p_provider_id text) returns text;
-- function hold_for_broadcast(p_id uuid, p_wanted bigint) returns bigint set enable_seqscan=off, plan_cache_mode=force_generic_plan;
-- function is_attempt_open(p_company bigint, p_id uuid, p_number smallint) returns boolean set enable_seqscan=off, plan_cache_mode=force_generic_plan;
-- function is_of_provider(p_provider_id text, p_provider text) returns boolean;
-- function keep_month_closed() returns trigger;
-- function locked_accounts(p_companies bigint[]) returns SETOF bigint;
-- function make_partition(p_table text, p_month date, p_by_id boolean, p_fill integer) returns boolean;
-- function make_partitions(p_ahead integer) returns integer;
-- function may_send_broadcast(p_company bigint, p_request text, p_phone bigint, p_is_quiet boolean) returns text;
-- function move_key_spend(p_company bigint[], p_id uuid[], p_released integer[], p_taken integer[]) returns void set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off, plan_cache_mode=force_generic_plan;
-- function new_id() returns uuid;
-- function next_almaty_day(p_at timestamp with time zone) returns timestamp with time zone;
-- function next_almaty_month(p_at timestamp with time zone) returns timestamp with time zone;
-- function operator_audit_hash(p_before bytea, p_record operator_audit) returns bytea;
-- function otp_free_at(p_company bigint, p_phone bigint, p_is_test boolean, p_gap_seconds integer, p_hour_max integer, p_day_max integer, p_others_seconds integer, p_others_max integer, p_others_day_max integer) returns timestamp with time zone set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off;
-- function partition_month(p_name name) returns date;
-- function pass_on_by_ids(p_provider_id text[], p_tail bigint[]) returns TABLE(provider_id text, phone_tail bigint, may_fall_back boolean, is_new boolean) set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off, plan_cache_mode=force_generic_plan;
-- function phone_free_at(p_phone bigint, p_for_company bigint, p_now timestamp with time zone, p_company bigint[], p_kind message_kind[], p_is_test boolean[], p_recipient bigint[], p_verdict text[], p_short_seconds integer, p_short_max integer, p_others_day_max integer) returns timestamp with time zone;
-- function post_entry(p_company bigint, p_kind entry_kind, p_amount bigint, p_cause uuid) returns bigint;
-- function receipt_event(p_receipt receipt, p_state message_state, p_has_route boolean, p_is_latest boolean) returns text;
-- function record_clicks(p_slug_key text[], p_company bigint[], p_message uuid[], p_recipient bigint[], p_is_robot boolean) returns void;
-- function record_plain_receipts(p_company bigint[], p_id uuid[], p_receipt receipt[], p_reason text[], p_provider text[]) returns TABLE(ord integer, may_fall_back boolean) set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off, plan_cache_mode=force_generic_plan;
-- function record_provider_receipts(p_provider_id text[], p_receipt receipt[], p_reason text[]) returns TABLE(ord integer, company_id bigint, message_id uuid, may_fall_back boolean);
-- function record_receipts(p_company bigint[], p_id uuid[], p_attempt integer[], p_receipt receipt[], p_reason text[], p_provider text[]) returns TABLE(ord integer, is_known boolean, is_new boolean, may_fall_back boolean) set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off, plan_cache_mode=force_generic_plan;
-- function record_receipts_by_id(p_provider_id text[], p_tail bigint[], p_receipt receipt[], p_reason text[]) returns TABLE(ord integer, company_id bigint, message_id uuid, may_fall_back boolean, is_new boolean) set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off, plan_cache_mode=force_generic_plan;
-- function record_webhook_tries(p_endpoint bigint[], p_event uuid[], p_claim integer[], p_url text[], p_has_phone boolean[], p_signed_at bigint[], p_signature text[], p_outcome text[], p_error text[], p_status integer[], p_duration_ms integer[], p_duration_place integer[], p_answer text[], p_is_answer_cut boolean[], p_retry_seconds integer[], p_pause_seconds integer[], p_durations integer) returns TABLE(ord integer, is_recorded boolean, failing_since timestamp with time zone) set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off, plan_cache_mode=force_generic_plan;
-- function refuse_audit_change() returns trigger;
-- function refuse_entry_change() returns trigger;
-- function refuse_price_change() returns trigger;
-- function refuse_sends(p_company bigint[], p_id uuid[], p_key bigint[], p_kind message_kind[], p_is_test boolean[], p_recipient bigint[], p_request text[], p_has_left boolean[], p_reason text, p_cause uuid) returns TABLE(ord integer, is_done boolean) set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off, plan_cache_mode=force_generic_plan;
-- function release_broadcast(p_id uuid) returns bigint set enable_seqscan=off, plan_cache_mode=force_generic_plan;
-- function remember_ids(p_provider_id text[], p_tail bigint[], p_company bigint[], p_id uuid[], p_attempt integer[], p_parts integer[]) returns TABLE(ord integer, is_ours boolean) set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off, plan_cache_mode=force_generic_plan;
-- function remember_provider_ids(p_provider_id text[], p_company bigint[], p_id uuid[], p_attempt integer[], p_parts integer[]) returns TABLE(ord integer, is_ours boolean);
-- function reserve(p_id uuid[], p_company bigint[], p_key bigint[], p_kind message_kind[], p_is_test boolean[], p_recipient bigint[], p_prices text[], p_dearest integer[], p_request text[], p_check_seconds integer[], p_body text[], p_gap_seconds integer[], p_gap_max integer[], p_hour_max integer[], p_day_max integer[], p_purpose text[], p_mac bytea[], p_sealed bytea[], p_ttl_seconds integer[], p_slug text[], p_url text[], p_link_ttl_seconds integer[], p_route text[], p_others_seconds integer, p_others_max integer, p_others_day_max integer, p_wrong_per_hour integer, p_wrong_in_row integer) returns TABLE(ord integer, verdict text, held integer, available bigint, wait_seconds integer) set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off, plan_cache_mode=force_generic_plan;
-- function return_recipients(p_broadcast uuid[], p_number integer[], p_id uuid[], p_tries_max integer) returns TABLE(ord integer, is_returned boolean) set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off, plan_cache_mode=force_generic_plan;
-- function set_common_price() returns trigger;
-- function settle(p_company bigint[], p_id uuid[], p_state message_state[], p_channel channel[], p_price integer[], p_provider_id text[], p_reason text[], p_route text[], p_attempt integer[], p_attempts jsonb, p_cause uuid) returns TABLE(ord integer, moved boolean, state message_state, charged integer, balance bigint) set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off, plan_cache_mode=force_generic_plan;
-- function settle_bulk(p_company bigint[], p_id uuid[], p_state message_state[], p_channel channel[], p_price integer[], p_provider_id text[], p_reason text[], p_route text[], p_attempt integer[], p_attempts jsonb, p_cause uuid) returns TABLE(ord integer, moved boolean, state message_state, charged integer, balance bigint);
-- function settle_fallback(p_company bigint, p_id uuid, p_attempt integer, p_state attempt_state, p_price integer, p_has_receipts boolean, p_provider_id text, p_reason text, p_check_seconds integer, p_cause uuid) returns boolean set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off, plan_cache_mode=force_generic_plan;
-- function shorten(p_slug text[], p_company bigint[], p_url text[], p_ttl_seconds integer[]) returns TABLE(ord integer, is_made boolean, slug text, expires_seconds integer) set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off, plan_cache_mode=force_generic_plan;
-- function spent_since(p_company bigint, p_at timestamp with time zone) returns bigint;
-- function standing_attempt(p_company bigint, p_id uuid, p_latest smallint) returns smallint set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off, plan_cache_mode=force_generic_plan;
-- function sweep_missed(p_limit integer) returns TABLE(missed integer, has_more boolean) set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off;
-- function take_due(p_limit integer, p_lease_seconds integer) returns TABLE(company_id bigint, id uuid, key_id bigint, kind message_kind, is_test boolean, recipient bigint, state message_state, receipt receipt, channel channel, route text, attempt smallint, hold integer, charged integer, slug text, body text, purpose text, age_seconds double precision, settled_seconds double precision, open_attempt_seconds double precision, standing_attempt smallint) set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off, plan_cache_mode=force_generic_plan;
-- function uuid_at(p_at timestamp with time zone) returns uuid;
-- function verify(p_key bigint[], p_phone bigint[], p_purpose text[], p_mac bytea[], p_claim uuid[], p_per_code integer, p_per_hour integer, p_in_row integer) returns TABLE(ord integer, verdict text, attempts_left integer, wait_seconds integer) set enable_seqscan=off, enable_hashjoin=off, enable_mergejoin=off, plan_cache_mode=force_generic_plan;
-- function watch_month(p_table text, p_month date) returns void;
-- function webhook_event_id(p_outbox uuid, p_place bigint) returns uuid;
