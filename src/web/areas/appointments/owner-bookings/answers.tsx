import { useQuery } from '@tanstack/react-query'
import type { UseFormReturn } from 'react-hook-form'
import { AnswerFields } from '#web/areas/appointments/bookings/question-fields.tsx'
import { questionsQuery } from '#web/kit/questions-query.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import type { NewAppointmentForm } from './new-appointment-form.ts'

type AnswersProps = { calendarId: string; form: UseFormReturn<NewAppointmentForm> }

/** Lets the owner enter the customer's answers to the calendar's questions. None is required. Source: rule B35. */
export function Answers({ calendarId, form }: AnswersProps) {
  const { data, error, refetch } = useQuery(questionsQuery(calendarId))
  const { typeId, answers } = form.watch()
  const { errors } = form.formState
  if (data === undefined) {
    return (
      error !== null && (
        <ErrorState title="Failed to load questions" hint={error.message} onRetry={() => void refetch()} />
      )
    )
  }
  return (
    <AnswerFields
      questions={data.map((question) => ({ ...question, is_required: false }))}
      typeId={typeId || null}
      answers={answers}
      errorOf={(field) => errors.answers?.[field.slice('answers.'.length)]?.message}
      onChange={(_, value, field) => {
        form.setValue(field, value)
        form.clearErrors(field)
      }}
    />
  )
}
