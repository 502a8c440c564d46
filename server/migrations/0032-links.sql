-- What the cabinet shows of short links, and how a group comes to a company through the bot.

-- Robots that draw previews are kept as well, and told apart.
alter table click add column is_robot boolean not null default false;

-- What the operator has switched off stays off; what a company has switched off it may switch on again.
alter table link
  add column is_barred boolean not null default false,
  -- Clicks before this moment are added up in click_hour. Null for nearly all links, which have few.
  add column clicks_until timestamptz;
update link set is_barred = true where disabled_at is not null;

create table click_hour (
  company_id bigint not null,
  folded text not null,
  hour timestamptz not null,
  people integer not null,
  robots integer not null,
  -- Of people.
  first_at timestamptz,
  last_at timestamptz,
  primary key (company_id, folded, hour)
);

-- Adds up the next clicks of a link, at most so many. True when there are more. A click is written down within two
-- seconds of its time, so those of the last five are left for later.
create function add_up_clicks(p_company bigint, p_folded text, p_max integer) returns boolean language plpgsql as $$
declare
  v_from timestamptz;
  v_to timestamptz;
  v_settled timestamptz := clock_timestamp() - interval '5 seconds';
  v_has_more boolean;
begin
  -- The link is locked, so that two readers do not add the same clicks.
  select coalesce(clicks_until, '-infinity') into v_from from link
  where folded = p_folded and (company_id = p_company) is true for no key update;
  if v_from is null or v_from >= v_settled then
    return false;
  end if;
  select at into v_to from click
  where company_id = p_company and folded = p_folded and at >= v_from and at < v_settled
  order by at offset p_max limit 1;
  v_has_more := found;
  v_to := coalesce(v_to, v_settled);

  insert into click_hour as h (company_id, folded, hour, people, robots, first_at, last_at)
  select p_company, p_folded, date_trunc('hour', at), count(*) filter (where not is_robot),
    count(*) filter (where is_robot), min(at) filter (where not is_robot), max(at) filter (where not is_robot)
  from click where company_id = p_company and folded = p_folded and at >= v_from and at < v_to
  group by 3
  on conflict (company_id, folded, hour) do update set people = h.people + excluded.people,
    robots = h.robots + excluded.robots, first_at = least(h.first_at, excluded.first_at),
    last_at = greatest(h.last_at, excluded.last_at);
  update link set clicks_until = v_to where folded = p_folded;
  return v_has_more;
end $$;

alter table messenger_group add column posted_at timestamptz;

-- A word that links one group to a company when it is written there. It stays as the proof that the company was
-- invited into that group.
create table group_invitation (
  token_hash bytea primary key,
  company_id bigint not null references company,
  invited_by text not null references person,
  created_at timestamptz not null default clock_timestamp(),
  ends_at timestamptz not null,
  -- The group in which it was written.
  chat_id text
);
create index group_invitation_company on group_invitation (company_id, chat_id);
