import { Controller } from 'react-hook-form'
import { z } from 'zod'
import { policySchema } from '#contract/appointments/policies.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { describePolicy } from '#core/appointments/describe-policy.ts'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { PolicyEditor } from '#web/kit/policy-editor.tsx'
import { SaveButton } from '#web/kit/save-button.tsx'
import { useCalendarForm } from '#web/kit/use-calendar-form.ts'
import { Card } from '#web/ui/card.tsx'

const policyForm = z.object({ policy: policySchema })

/** Lets the owner edit the rules for moving, cancelling and refunds. Source: rule Q1. */
export function CancellationPolicyCard({ calendar }: { calendar: Calendar }) {
  const record = useCalendarForm({
    calendar,
    name: 'policy',
    schema: policyForm,
    show: ({ policy }) => ({ policy }),
    describe: ({ policy }) => ({ policy: describePolicy(policy, { hasPrice: true }) }),
    toChanges: (values) => values,
    saved: 'Changes and cancellations updated',
    failed: (sentence) => `Failed to update changes and cancellations: ${sentence}`,
  })
  const { form, save, isEdited } = record
  return (
    <Card
      title="Changes and cancellations"
      description="What customers can do themselves. Existing bookings keep their rules."
    >
      <form noValidate onSubmit={save} aria-label="Changes and cancellations" className="flex flex-col gap-6">
        <FormNotices record={record} labels={{ policy: 'Changes and cancellations' }} />
        <Controller
          control={form.control}
          name="policy"
          render={({ field }) => <PolicyEditor value={field.value} onChange={field.onChange} hasPrice />}
        />
        <SaveButton
          variant="secondary"
          className="self-start"
          isEdited={isEdited}
          pending={form.formState.isSubmitting}
        >
          Save policy
        </SaveButton>
      </form>
    </Card>
  )
}
