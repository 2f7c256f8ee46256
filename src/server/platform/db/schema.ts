import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { SetupStepState } from '#core/accounts/setup-steps.ts'
import type { HoldReason } from '#core/appointments/hold.ts'
import type { Policy } from '#core/appointments/policy.ts'
import type { QuestionCondition, QuestionKind } from '#core/appointments/questions.ts'
import type { PageProblemKind } from '#core/calendars/page-problems.ts'
import type { MailBudgetName } from '#core/messages/mail-budgets.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import type { BookingLimit } from '#core/slots/booking-limits.ts'
import type { BookingWindow } from '#core/slots/booking-window.ts'
import type { FinalReason, StartReason, StartWarning } from '#core/slots/explain-start.ts'
import type { SeriesInterval } from '#core/slots/plan-series.ts'
import type { CustomerSeriesRule } from '#core/slots/series-rule.ts'
import type { DayPart } from '#core/waiting-list/waiting-request.ts'
import type { OfferState, WaitingState } from '#core/waiting-list/waiting-states.ts'

/** The tables that `migrations/` creates, for the query builder. The SQL files document the columns. */

/** A timestamp, read and written as a Date. */
type Timestamp = ColumnType<Date, Date, Date>
type GeneratedTimestamp = ColumnType<Date, Date | undefined, Date>
/** A range, which is written and compared only in SQL. */
type Range = ColumnType<string, string, string>
/** JSON whose structure the database checks. */
type StoredWindow = ColumnType<BookingWindow, BookingWindow | undefined, BookingWindow>
type StoredPolicy = ColumnType<Policy | null, string | null | undefined, string | null>

export type AppointmentStatus = 'confirmed' | 'cancelled' | 'pending_cancellation' | 'pending_payment'
export type PaymentStatus = 'not_required' | 'pending' | 'paid' | 'failed' | 'refunded'
/**
 * `capturing`: we are capturing an approved checkout. `refund_pending`: a refund is due. `mismatch`: the payment
 * differs from the agreement.
 */
export type TransactionStatus =
  | 'pending'
  | 'capturing'
  | 'completed'
  | 'failed'
  | 'refund_pending'
  | 'refunded'
  | 'mismatch'
  | 'manual'
/**
 * `owner`: the owner requested the refund. `by_hand`: the owner requested it and pays the money back outside the
 * product. `policy`: a cancellation triggered it.
 */
export type RefundReason = 'too_late' | 'paid_already' | 'mismatch' | 'owner' | 'by_hand' | 'policy'
export type StoredMessageState = 'queued' | 'waiting' | 'sent' | 'failed' | 'given_up' | 'dropped'
/** Why a message was not sent. */
export type MessageDropReason = 'outdated' | 'unwanted' | 'no_address' | 'past' | 'too_early'
/** The email limit that delays a message, or the recipient's choice to stop emails. */
export type MessageWaitReason = MailBudgetName | 'email_stopped'
/** The state of a host's certificate: requested, not obtained so far, or present. Source: rule I16. */
export type CertificateState = 'pending' | 'failed' | 'ready'

/**
 * `pending`: claimed, not verified. `failing`: verified, but its DNS records have pointed elsewhere for a week.
 * `retired`: an earlier address that redirects to the current one. `released`: given up.
 */
export type HostState = 'pending' | 'live' | 'failing' | 'retired' | 'released'
export type RecipientStatus = 'answered' | 'stopped'

export type Schema = {
  profiles: {
    id: string
    email: string
    email_verified: Generated<boolean>
    full_name: string
    first_name: Generated<string>
    last_name: Generated<string>
    avatar_url: string | null
    phone: Generated<string | null>
    time_zone: Generated<string | null>
    bio: Generated<string | null>
    notify_bookings: Generated<boolean>
    notify_cancellation_requests: Generated<boolean>
    notify_cancellations: Generated<boolean>
    two_factor_enabled: Generated<boolean>
    created_at: GeneratedTimestamp
    updated_at: GeneratedTimestamp
  }
  accounts: {
    id: string
    user_id: string
    account_id: string
    provider_id: string
    password: string | null
    created_at: GeneratedTimestamp
    updated_at: GeneratedTimestamp
  }
  sessions: {
    id: string
    user_id: string
    token: string
    expires_at: Timestamp
    ip_address: string | null
    user_agent: string | null
    created_at: GeneratedTimestamp
    /** When the session was last used, accurate to a few minutes. */
    updated_at: GeneratedTimestamp
  }
  two_factors: {
    id: string
    user_id: string
    secret: string
    backup_codes: string
    verified: Generated<boolean>
    last_used_step: ColumnType<string | null, number | null | undefined, number | null>
  }
  verifications: { id: string; identifier: string; value: string; expires_at: Timestamp }
  budget_uses: { key: string; used: number; ends_at: Timestamp }
  setups: {
    user_id: string
    you: Generated<SetupStepState>
    hours: Generated<SetupStepState>
    services: Generated<SetupStepState>
    external_calendar: Generated<SetupStepState>
    calendar_id: Generated<string | null>
    dismissed_at: Generated<Date | null>
    created_at: Timestamp
  }
  invitations: { email: string; id: string; created_at: Timestamp; expires_at: Timestamp }
  operator_actions: {
    user_id: string
    id: Generated<string>
    at: Timestamp
    action:
      | 'invited'
      | 'unlocked'
      | 'unlock_undone'
      | 'second_factor_removed'
      | 'plan_given'
      | 'emails_sent_again'
    detail: string | null
    /** JSON; `StoredBudgetUse` has its form. */
    counts: string | null
  }
  registrations: {
    id: string
    number: number
    email: string
    full_name: string
    /** The hash of the password. */
    password: string
    created_at: Timestamp
  }
  subscriptions: {
    user_id: string
    tier: 'professional' | 'business' | 'enterprise'
    ends_at: Timestamp | null
    provider_subscription_id: string | null
    status:
      | 'incomplete'
      | 'incomplete_expired'
      | 'trialing'
      | 'active'
      | 'past_due'
      | 'canceled'
      | 'unpaid'
      | 'paused'
      | null
    period_ends_at: Timestamp | null
    cancels_at: Timestamp | null
    next_tier: 'professional' | 'business' | 'enterprise' | null
    amount_cents: number | null
    currency: string | null
    past_due_since: Timestamp | null
    synced_at: Timestamp | null
    calendars_chosen_at: Timestamp | null
    created_at: GeneratedTimestamp
    updated_at: GeneratedTimestamp
  }
  billing_customers: {
    user_id: string
    provider_customer_id: string
    email: string
    syncs: Generated<number>
    checkout_price_id: string | null
    checkout_key: string | null
    checkout_url: string | null
    checkout_at: Timestamp | null
    created_at: GeneratedTimestamp
  }
  billing_events: {
    id: string
    type: string
    provider_customer_id: string | null
    received_at: GeneratedTimestamp
  }
  plan_notices: {
    user_id: string
    occasion: 'welcome' | 'payment_failed' | 'plan_ended' | 'card_expiring' | 'paid_twice'
    about: string
    created_at: GeneratedTimestamp
  }
  /** Every slug ever assigned, and all paths that lead to the calendar `path_of`. */
  public_calendars: {
    slug: string
    calendar_id: string | null
    public_url: string | null
    path_of: Generated<string | null>
  }
  calendar_hosts: {
    id: string
    /** The host name in lower-case A-labels (punycode), without a port. */
    host: string
    calendar_id: string | null
    kind: 'subdomain' | 'custom'
    state: HostState
    challenge: string | null
    created_at: GeneratedTimestamp
    verified_at: Timestamp | null
    last_checked_at: Timestamp | null
    failing_since: Timestamp | null
    certificate: Generated<CertificateState>
    certificate_tried_at: Generated<Date | null>
  }
  /** The people whose time is booked. The row of the owner has the account's id as its id. */
  hosts: {
    user_id: string
    id: string
    name: string
    created_at: GeneratedTimestamp
    overlaps_seen_at: Generated<Date | null>
  }
  calendars: {
    id: string
    user_id: string
    /** The person whose time is booked in this calendar. */
    host_id: string
    slug: string
    name: string
    description: string | null
    color: string
    category: string | null
    professional_first_name: string | null
    professional_last_name: string | null
    timezone: string
    hour_cycle: Generated<HourCycle>
    appointment_title_required: boolean
    default_appointment_title: string | null
    payment_required: boolean
    payment_enabled: Generated<boolean>
    email_confirmation_required: Generated<boolean>
    /** Origins that may embed the booking page; null means any. */
    embed_sites: Generated<string[] | null>
    slot_duration_minutes: Generated<15 | 30 | 60>
    buffer_time_minutes: Generated<number>
    max_appointment_duration_minutes: Generated<number>
    minimum_notice_minutes: Generated<number>
    booking_window: StoredWindow
    reminder_settings: JSONColumnType<Record<string, unknown>, string | undefined>
    domain_settings: JSONColumnType<Record<string, unknown>, string | undefined>
    branding_settings: JSONColumnType<Record<string, unknown>, string | undefined>
    policy: StoredPolicy
    is_paused: Generated<boolean>
    /** False while the owner has turned bookings off. */
    takes_bookings: Generated<boolean>
    /** The idempotency key of the request that created this calendar as a copy; null for other calendars. */
    copy_key: Generated<string | null>
    stays_open: Generated<boolean>
    created_at: GeneratedTimestamp
    updated_at: GeneratedTimestamp
  }
  /** A table with exactly one row. */
  installation: {
    is_only: Generated<boolean>
    key_fingerprint: string
    names_key_encrypted: Buffer
    last_backup_at: Timestamp | null
    backup_failed_at: Timestamp | null
    backup_error: string | null
  }
  branding_files: {
    calendar_id: string
    hash: string
    kind: 'logo' | 'style'
    content: Buffer
    width: number | null
    height: number | null
    created_at: GeneratedTimestamp
  }
  calendar_connections: {
    id: string
    user_id: string
    provider: 'google' | 'microsoft' | 'caldav' | 'ics'
    account_id: string
    account_name: string
    credentials_encrypted: Buffer
    credentials_version: Generated<number>
    granted_scopes: Generated<string[]>
    state: Generated<'active' | 'expired' | 'revoked'>
    problem: string | null
    failed_attempts: Generated<number>
    last_success_at: Timestamp | null
    failed_at: Generated<Date | null>
    failing_since: Generated<Date | null>
    is_slow: Generated<boolean>
    trouble_told_at: Generated<Date | null>
    paused_until: Generated<Date | null>
    next_sync_at: GeneratedTimestamp
    sync_claim: Generated<string | null>
    claimed_until: Generated<Date | null>
    listed_at: Generated<Date | null>
    expiry_told_at: Timestamp | null
    reconnected_at: Timestamp | null
    created_at: GeneratedTimestamp
    updated_at: GeneratedTimestamp
  }
  calendar_authorizations: {
    state_hash: string
    session_id: string
    calendar_id: string
    provider: 'google' | 'microsoft'
    access: 'read' | 'write'
    code_verifier: string
    connection_id: string | null
    expires_at: Timestamp
  }
  external_calendars: {
    id: string
    connection_id: string
    external_id: string
    name: string
    color: string | null
    time_zone: string | null
    is_primary: Generated<boolean>
    can_write: Generated<boolean>
    missing_since: Generated<Date | null>
    is_gone: Generated<boolean>
    sync_cursor: string | null
    generation: Generated<number>
    synced_at: Timestamp | null
    synced_until: Timestamp | null
    read_in_zones: Generated<string[] | null>
    followed_at: Timestamp | null
    checked_at: Timestamp | null
    checked_from: Timestamp | null
    checked_until: Timestamp | null
    channel_failed_attempts: Generated<number>
    channel_retry_at: Generated<Date | null>
  }
  used_external_calendars: {
    calendar_id: string
    external_calendar_id: string
    reads_busy_times: Generated<boolean>
    writes_events: Generated<boolean>
  }
  external_calendar_settings: {
    calendar_id: string
    auto_sync: Generated<boolean>
    two_way_sync: Generated<boolean>
    hide_customer: Generated<boolean>
    when_unchecked: Generated<'trust_copy' | 'offer_nothing' | 'always_offer'>
    updated_at: GeneratedTimestamp
  }
  external_busy_times: {
    external_calendar_id: string
    event_id: string
    occurrence: Generated<string>
    starts_at: Timestamp
    ends_at: Timestamp
    title: string | null
    is_all_day: Generated<boolean>
    generation: number
    asked_at: Generated<Date | null>
    appointment_calendar_id: Generated<string | null>
  }
  unreadable_external_events: {
    external_calendar_id: string
    event_id: string
    title: string | null
    part: 'date' | 'times' | 'zone'
  }
  sync_channels: {
    id: string
    external_calendar_id: string
    resource_id: string | null
    secret_hash: string
    created_at: Timestamp
    expires_at: Timestamp
    stopped_at: Timestamp | null
  }
  appointment_events: {
    calendar_id: string
    appointment_id: string
    external_calendar_id: string
    event_ref: string
    etag: string | null
    starts_at: Timestamp
    ends_at: Timestamp
    content_hash: string
    title_there: Generated<string | null>
    written_at: Timestamp
    session_id: Generated<string | null>
  }
  event_pauses: {
    connection_id: string
    until: Timestamp
    asked_until: Timestamp | null
    failed_attempts: number
  }
  event_secrets: {
    calendar_id: string
    appointment_id: string
    secret: Generated<string>
  }
  event_turns: {
    connection_id: string
    claim: string | null
    claimed_until: Timestamp | null
    swept_at: Timestamp | null
  }
  awaited_event_turns: {
    connection_id: string
    calendar_id: string
    appointment_id: string
    turned_away_at: Timestamp
  }
  event_writes: {
    calendar_id: string
    appointment_id: string
    claim: string | null
    claimed_until: Timestamp | null
    paused_until: Timestamp | null
    failed_attempts: Generated<number>
  }
  external_changes: {
    calendar_id: string
    id: string
    appointment_id: string
    external_calendar_id: string
    kind: 'deleted' | 'moved'
    reason: 'many_deletions' | 'many_moves' | 'calendar_gone' | 'reconnected' | 'group_session'
    starts_at: Timestamp | null
    ends_at: Timestamp | null
    noticed_at: Timestamp
  }
  appointment_history: {
    calendar_id: string
    id: string
    appointment_id: string
    at: Timestamp
    kind: string
    caused_by: 'owner' | 'customer' | 'external_calendar' | 'product'
    details: JSONColumnType<Record<string, unknown>, string | undefined>
  }
  calendar_feeds: {
    calendar_id: string
    token_hash: string
    token_encrypted: Buffer
    created_at: GeneratedTimestamp
  }
  availability: {
    calendar_id: string
    id: string
    day_of_week: number
    /** The time of day as HH:MM:SS, up to 24:00:00. */
    start_time: string
    end_time: string
  }
  type_hours: {
    calendar_id: string
    id: string
    appointment_type_id: string
    day_of_week: number
    /** The time of day as HH:MM:SS, up to 24:00:00. */
    start_time: string
    end_time: string
  }
  special_days: {
    calendar_id: string
    id: string
    /** Read this column with `to_char`: the driver would convert the date to an instant. */
    first_date: ColumnType<Date, string, string>
    last_date: ColumnType<Date, string, string>
    note: string | null
    public_note: string | null
    source: Generated<'owner' | 'holiday'>
  }
  holiday_regions: {
    calendar_id: string
    country: string
    region: string | null
  }
  holiday_choices: {
    calendar_id: string
    /** Read this column with `to_char`: the driver would convert the date to an instant. */
    date: ColumnType<Date, string, string>
  }
  special_hours: {
    calendar_id: string
    id: string
    special_days_id: string
    /** The time of day as HH:MM:SS, up to 24:00:00. */
    start_time: string
    end_time: string
  }
  refusals: {
    calendar_id: string
    id: Generated<string>
    number: ColumnType<string, number, never>
    at: Timestamp
    times: Generated<number>
    starts_at: Timestamp
    appointment_type_id: string | null
    reasons: StartReason[]
  }
  setting_history: {
    calendar_id: string
    id: Generated<string>
    number: ColumnType<string, number, never>
    at: Timestamp
    who: string | null
    what: string
    row_key: string
    name: string | null
    before: JSONColumnType<Record<string, unknown> | null>
    after: JSONColumnType<Record<string, unknown> | null>
  }
  page_problems: {
    calendar_id: string
    kind: PageProblemKind
    appointment_type_id: string | null
    series_id: Generated<string | null>
    /** Read this column with `to_char`. */
    date: ColumnType<Date | null, string | null | undefined, string | null>
    reason: Generated<FinalReason | StartWarning | 'type_deleted' | null>
    found_at: Timestamp
  }
  series: {
    calendar_id: string
    id: string
    every_weeks: SeriesInterval
    /** Read this column with `to_char`. */
    first_date: ColumnType<Date, string, string>
    local_time: string
    planned: number
    is_standing: boolean
    overridden: StartReason[]
    ended_at: Generated<Date | null>
    created_at: Timestamp
  }
  booking_limits: BookingLimit & {
    calendar_id: string
    id: string
    appointment_type_id: string | null
  }
  questions: {
    calendar_id: string
    id: string
    appointment_type_id: string | null
    place: number
    kind: QuestionKind
    label: string
    help: string | null
    is_required: boolean
    is_private: boolean
    choices: ColumnType<string[], string, string>
    shown_if: ColumnType<QuestionCondition | null, string | null, string | null>
  }
  answers: {
    calendar_id: string
    id: string
    appointment_id: string
    question_id: string
    place: number
    label: string
    kind: QuestionKind
    value: ColumnType<string[] | null, string | null, string | null>
    value_encrypted: Buffer | null
  }
  locations: {
    id: string
    user_id: string
    name: string
    address: string | null
    type: Generated<'physical' | 'online'>
    shareable: Generated<boolean>
    exclusive: Generated<boolean>
    /** The code with which other owners add the location; null while the location is private. */
    sharing_code: string | null
    created_at: GeneratedTimestamp
  }
  location_guests: {
    calendar_id: string
    location_id: string
    created_at: GeneratedTimestamp
  }
  calendar_locations: {
    calendar_id: string
    id: string
    location_id: string
    is_primary: Generated<boolean>
    created_at: GeneratedTimestamp
  }
  appointment_types: {
    calendar_id: string
    id: string
    name: string
    duration: number
    prepare_minutes: Generated<number>
    wrap_up_minutes: Generated<number>
    start_step_minutes: number | null
    is_packed: Generated<boolean>
    description: string | null
    color: string
    price_cents: number | null
    /** Text for customers where a price would be. Null when the type has a price. */
    fee_note: Generated<string | null>
    stripe_price_id: string | null
    is_online: boolean
    location_id: string | null
    payment_required: boolean
    /** How many customers share a session; null when each appointment has its time for itself. */
    seats: Generated<number | null>
    shows_seats: Generated<boolean>
    /** False for a type that customers reach only by its link. */
    is_listed: Generated<boolean>
    /** Null for the calendar's window. */
    booking_window: ColumnType<BookingWindow | null, BookingWindow | null | undefined, BookingWindow | null>
    policy: StoredPolicy
    /** Which series customers can book; null for none. */
    series_rule: ColumnType<CustomerSeriesRule | null, string | null | undefined, string | null>
    /** The types of a calendar are listed by ascending position. */
    position: number
    created_at: GeneratedTimestamp
    updated_at: GeneratedTimestamp
  }
  group_sessions: {
    calendar_id: string
    id: string
    appointment_type_id: string
    location_id: string | null
    starts_at: Timestamp
    ends_at: Timestamp
    prepare_minutes: number
    wrap_up_minutes: number
    seats: number
    /** Kept by a trigger. */
    seats_taken: GeneratedAlways<number>
  }
  payment_settings: {
    calendar_id: string
    stripe_connected: Generated<boolean>
    stripe_account_id: string | null
    stripe_connected_at: Timestamp | null
    paypal_connected: Generated<boolean>
    paypal_merchant_id: string | null
    paypal_email: string | null
    paypal_client_id: string | null
    paypal_client_secret_encrypted: Buffer | null
    paypal_redirect_uri: string | null
    paypal_mode: Generated<'sandbox' | 'live'>
    paypal_webhook_id: string | null
    payment_provider: 'stripe' | 'paypal' | null
    currency: Generated<string>
    updated_at: GeneratedTimestamp
  }
  customers: {
    calendar_id: string
    id: string
    client_id: string
    name: string
    email: string | null
    phone: string | null
    created_at: GeneratedTimestamp
    erased_at: Generated<Date | null>
    notes: Generated<string | null>
  }
  appointments: {
    calendar_id: string
    id: string
    booking_reference: string
    customer_id: string
    customer_name: string
    customer_phone: string | null
    customer_time_zone: string | null
    starts_at: Timestamp
    ends_at: Timestamp
    time_zone: string
    /** `occupied` and the buffer after it. */
    blocked: Range
    prepare_minutes: Generated<number>
    wrap_up_minutes: Generated<number>
    /** From the start of the preparation to the end of the wrap-up. */
    occupied: GeneratedAlways<string>
    session_id: Generated<string | null>
    /** The session, else the appointment itself: appointments with the same key share their time. */
    time_key: GeneratedAlways<string>
    /** The person whose time the appointment occupies. */
    host_id: string
    /**
     * True for appointments that overlap another appointment of the same person, from before such double bookings were
     * prevented.
     */
    allows_overlap: Generated<boolean>
    title: string
    typed_title: Generated<string | null>
    description: string | null
    appointment_type_id: string | null
    appointment_type_name: string | null
    price_cents: number | null
    fee_note: Generated<string | null>
    currency: Generated<string>
    is_online: boolean
    location_id: string | null
    location_name: string | null
    location_address: string | null
    conflict_location_id: string | null
    status: AppointmentStatus
    payment_status: PaymentStatus
    paid_in_sandbox: Generated<boolean>
    stripe_payment_intent_id: Generated<string | null>
    awaits_email_code: Generated<boolean>
    is_offer: Generated<boolean>
    is_test: Generated<boolean>
    series_id: Generated<string | null>
    series_number: Generated<number | null>
    hold_expires_at: Generated<Date | null>
    released_at: Generated<Date | null>
    needs_google_sync: Generated<boolean>
    moved_at: Generated<Date | null>
    moved_from: Generated<Date | null>
    policy: StoredPolicy
    policy_text: Generated<string | null>
    most_refund_share: Generated<number | null>
    least_refund_share: Generated<number | null>
    cancellation_asked_at: Generated<Date | null>
    refund_due_cents: Generated<number | null>
    refund_percent: Generated<number | null>
    cancelled_by: Generated<'customer' | 'owner' | null>
    no_show_at: Generated<Date | null>
    sequence: Generated<number>
    link_rotation: Generated<number>
    booked_by: Generated<'customer' | 'owner'>
    person_key: GeneratedAlways<string>
    created_at: Timestamp
    updated_at: Timestamp
  }
  holds: {
    calendar_id: string
    appointment_id: string
    reason: HoldReason
    client_key: string | null
    network_key: string | null
    email_key: string | null
  }
  appointment_messages: {
    calendar_id: string
    id: Generated<string>
    appointment_id: string
    kind: string
    recipient: 'customer' | 'owner'
    occasion: string
    sequence: number
    changed_at: Timestamp
    state: Generated<StoredMessageState>
    drop_reason: Generated<MessageDropReason | null>
    attempts: Generated<number>
    first_failed_at: Generated<Date | null>
    last_error: Generated<string | null>
    repeat: Generated<number>
    sent_at: Generated<Date | null>
    owner_told_at: Generated<Date | null>
    late_minutes: Generated<number | null>
    undo: Generated<unknown>
    details: Generated<unknown>
    caused_by: Generated<'owner' | 'customer'>
    waits_for: Generated<MessageWaitReason | null>
    waits_until: Generated<Date | null>
    recipient_key: Generated<string | null>
    created_at: Timestamp
    updated_at: Timestamp
  }
  many_changes: {
    calendar_id: string
    id: string
    kind: 'cancel' | 'offer'
    first_date: string
    last_date: string
    message: string
    refund: 'all' | 'policy'
    created_at: Timestamp
    finished_at: Generated<Date | null>
    for_waiting_list: Generated<boolean>
  }
  many_change_items: {
    calendar_id: string
    change_id: string
    appointment_id: string
    starts_at: Timestamp
    state: Generated<'waiting' | 'done' | 'skipped'>
    reason: Generated<string | null>
    offered: Generated<unknown>
  }
  waiting_entries: {
    calendar_id: string
    id: string
    state: WaitingState
    added_by: 'customer' | 'owner'
    customer_name: string
    customer_email: string
    customer_phone: string | null
    customer_time_zone: string | null
    appointment_type_id: string | null
    appointment_type_name: string | null
    time_zone: string
    /** Read this column with `to_char`: the driver would convert the date to an instant. */
    from_date: ColumnType<Date, string, string>
    to_date: ColumnType<Date, string, string>
    weekdays: number[]
    day_parts: DayPart[]
    unanswered: Generated<number>
    created_at: Timestamp
    joined_at: Date | null
    valid_until: Timestamp
    ended_at: Generated<Date | null>
    link_rotation: Generated<number>
    /** The driver returns a bigint as text. */
    look_no: ColumnType<string | null, number | null, number>
    client_key: string | null
    network_key: string | null
  }
  waiting_free_times: {
    calendar_id: string
    appointment_type_id: string | null
    starts_at: Timestamp
    ends_at: Timestamp
    look_no: ColumnType<string, number, never>
  }
  waiting_offers: {
    calendar_id: string
    id: string
    entry_id: string
    starts_at: Timestamp
    ends_at: Timestamp
    made_by: 'list' | 'owner'
    held_appointment_id: string | null
    state: OfferState
    booked_appointment_id: Generated<string | null>
    offered_at: Timestamp
    mailed_at: Generated<Date | null>
    expires_at: Timestamp
    ended_at: Generated<Date | null>
  }
  waiting_looks: { calendar_id: string; asked_at: GeneratedTimestamp; is_kept: Generated<boolean> }
  email_recipients: { recipient_key: string; standing: RecipientStatus; since: Timestamp }
  payment_transactions: {
    calendar_id: string
    id: string
    appointment_id: string | null
    amount_cents: number
    currency: Generated<string>
    provider: 'stripe' | 'paypal' | 'manual'
    status: TransactionStatus
    provider_account_id: string | null
    app_client_id: string | null
    is_sandbox: Generated<boolean>
    checkout_id: string | null
    checkout_url: string | null
    payment_id: string | null
    refund_id: string | null
    refunded_cents: Generated<number>
    return_cents: Generated<number | null>
    return_percent: Generated<number | null>
    return_decided_at: Generated<Date | null>
    by_hand_cents: Generated<number>
    failure: string | null
    refund_reason: RefundReason | null
    ask_again_at: Date | null
    completed_at: Date | null
    refunded_at: Date | null
    abandoned: Generated<boolean>
    created_at: Timestamp
    updated_at: GeneratedTimestamp
  }
  payment_events: {
    provider: 'stripe' | 'paypal'
    event_id: string
    type: string
    received_at: Timestamp
  }
  payment_connections: {
    state_hash: string
    session_id: string
    calendar_id: string
    provider: 'stripe' | 'paypal'
    expires_at: Timestamp
  }
  sandbox_objects: {
    provider: string
    id: string
    kind: string
    object: JSONColumnType<Record<string, unknown>>
    created_at: GeneratedTimestamp
  }
  // The database maintains the next two tables; the product only reads them.
  appointment_days: { calendar_id: string; day: string; appointments: number }
  appointment_people: { calendar_id: string; person_key: string; search_text: string; appointments: number }
  idempotency_keys: {
    calendar_id: string
    key: string
    body_hash: string
    appointment_id: string
    confirmation_email_queued: boolean
    created_at: Timestamp
  }
  sandbox_mails: {
    id: Generated<string>
    message_id: string
    mail: JSONColumnType<Record<string, unknown>>
    created_at: GeneratedTimestamp
  }
}
