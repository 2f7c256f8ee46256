import type { Calendar } from '#contract/calendars/calendars.ts'
import type { ExternalCalendars } from '#contract/external-calendars/external-calendars.ts'
import { formatShortDate, formatTime, localDateOf } from '#web/shared/format-date.ts'
import { Card } from '#web/ui/card.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import type { Tone } from '#web/ui/tones.tsx'
import { hasIndirectBusyTimes } from './account-use.ts'
import { decideOfferedTimesEffect, type OfferedTimesEffect } from './health-words.ts'
import { useSaveExternalCalendarSetting } from './use-save-settings.ts'

const CHOICES = [
  {
    value: 'trust_copy',
    label: 'Trust the last copy',
    hint: 'For up to 24 hours, we offer customers the times that were free at the last check. After that, we offer none.',
  },
  {
    value: 'offer_nothing',
    label: 'Offer nothing',
    hint: 'We offer no times until we can check the calendar again.',
  },
  {
    value: 'always_offer',
    label: 'Keep offering',
    hint: 'We offer customers all your open times, even if they may be taken in your own calendar.',
  },
] as const

/**
 * Lets the owner choose which times are offered while an external calendar cannot be checked, and shows the current
 * effect. Source: rule G8.
 */
export function UncheckedCalendarPolicyCard({
  calendar,
  external,
}: {
  calendar: Calendar
  external: ExternalCalendars
}) {
  const { settings, save } = useSaveExternalCalendarSetting(calendar.id, external.settings)
  const title = 'When a calendar can’t be checked'
  return (
    <Card
      title={title}
      description="This happens when a provider doesn’t respond or a connection has expired."
    >
      <div className="flex flex-col gap-5">
        <InEffect effect={decideOfferedTimesEffect(external)} calendar={calendar} />
        <RadioGroup
          legend={title}
          isLegendHidden
          options={CHOICES}
          value={settings.when_unchecked}
          onChange={(when_unchecked) => save({ when_unchecked })}
        />
        {hasIndirectBusyTimes(external) && (
          <p className="text-ink-soft">
            This applies to the calendars selected above. For the others, the setting of the calendar that
            reads them applies.
          </p>
        )}
      </div>
    </Card>
  )
}

type Words = { readonly tone: Tone; readonly text: string }

const EFFECTS: Readonly<Record<Exclude<OfferedTimesEffect['kind'], 'by_copy'>, Words>> = {
  nothing_read: { tone: 'info', text: 'no calendar counts as busy, so there is nothing to check.' },
  all_checked: { tone: 'success', text: 'every calendar has been checked, so this doesn’t apply.' },
  offers_nothing: { tone: 'danger', text: 'we’re offering no times.' },
  offers_all: {
    tone: 'warning',
    text: 'we’re offering times that may be taken in your own calendar.',
  },
}

function InEffect({ effect, calendar }: { effect: OfferedTimesEffect; calendar: Calendar }) {
  const { tone, text } = effect.kind === 'by_copy' ? wordsOfCopy(effect.of, calendar) : EFFECTS[effect.kind]
  return (
    <Notice tone={tone}>
      <span className="font-semibold">Now: </span>
      {text}
    </Notice>
  )
}

function wordsOfCopy(of: string | null, { timezone, hour_cycle }: Calendar): Words {
  if (of === null) return { tone: 'warning', text: 'there is no copy yet.' }
  const at = `${formatShortDate(localDateOf(of, timezone))}, ${formatTime(of, timezone, hour_cycle)}`
  return { tone: 'warning', text: `we’re offering times from the copy of ${at}.` }
}
