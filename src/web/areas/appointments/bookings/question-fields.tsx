import { type ChangeEvent, useId } from 'react'
import type { Question } from '#contract/appointments/questions.ts'
import type { PublicCalendar } from '#contract/calendars/calendars.ts'
import {
  ANSWER_LIMITS,
  listShownQuestions,
  NO,
  type TypedAnswers,
  YES,
} from '#core/appointments/questions.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { FieldLabelText, FieldNotes, fieldAriaProps, LABEL_CLASS } from '#web/ui/field-frame.tsx'
import type { BookingDraft, DraftErrors, DraftField } from './booking-draft.ts'

export type QuestionsProps = {
  calendar: PublicCalendar
  typeId: string | null
  draft: BookingDraft
  errors: DraftErrors
  onChange: (answers: BookingDraft['answers'], field: DraftField) => void
}

/** Lets the customer answer the calendar's questions. Source: rule B33. */
export function QuestionFields({ calendar, typeId, draft, errors, onChange }: QuestionsProps) {
  const answers = draft.answers ?? []
  return (
    <div className="mt-4 grid gap-4">
      <AnswerFields
        questions={calendar.questions}
        typeId={typeId}
        answers={Object.fromEntries(answers.map(({ question_id: id, value }) => [id, value]))}
        errorOf={(field) => errors[field]}
        onChange={(question_id, value, field) => {
          const others = answers.filter((answer) => answer.question_id !== question_id)
          onChange([...others, { question_id, value }], field)
        }}
      />
    </div>
  )
}

/** The name of an answer's field in errors. */
type AnswerField = `answers.${string}`

type AnswerFieldsProps = {
  questions: readonly Question[]
  typeId: string | null
  answers: TypedAnswers
  errorOf: (field: AnswerField) => string | undefined
  onChange: (id: string, value: string[], field: AnswerField) => void
}

/** The fields for the questions that apply to the chosen type and the answers so far. Source: rules B33 and B34. */
export function AnswerFields({ questions, typeId, answers, errorOf, onChange }: AnswerFieldsProps) {
  return listShownQuestions(questions, typeId, answers).map((question) => {
    const { id } = question
    const field: AnswerField = `answers.${id}`
    return (
      <QuestionField
        key={id}
        question={question}
        name={field}
        value={answers[id] ?? []}
        error={errorOf(field)}
        onChange={(value) => onChange(id, value, field)}
      />
    )
  })
}

type QuestionFieldProps = {
  question: Question
  /** The field's name in errors. */
  name: AnswerField
  value: readonly string[]
  error: string | undefined
  onChange: (value: string[]) => void
}

function QuestionField({ question, name, value, error, onChange }: QuestionFieldProps) {
  const { kind, help, is_required: required, choices } = question
  if (kind === 'consent') {
    return <ChoiceField {...{ question, name, value, error, onChange }} type="checkbox" options={[YES]} />
  }
  if (kind === 'several_of') {
    return <ChoiceField {...{ question, name, value, error, onChange }} type="checkbox" options={choices} />
  }
  if (kind === 'one_of' || kind === 'yes_no') {
    const options = kind === 'one_of' ? choices : [YES, NO]
    return <ChoiceField {...{ question, name, value, error, onChange }} type="radio" options={options} />
  }
  const field = {
    label: toLabel(question),
    hint: help,
    error,
    required,
    'data-focus': name,
    autoComplete: 'off',
    maxLength: kind === 'phone' ? ANSWER_LIMITS.phone : ANSWER_LIMITS.text,
    value: value[0] ?? '',
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange([target.value]),
  }
  if (kind === 'long_text') return <TextArea {...field} />
  const type = kind === 'date' ? 'date' : kind === 'phone' ? 'tel' : 'text'
  return <TextField {...field} type={type} inputMode={kind === 'number' ? 'decimal' : undefined} />
}

function toLabel({ label, is_required: isRequired }: Question): string {
  const isolated = wrapInBidiIsolates(label)
  return isRequired ? isolated : `${isolated} (optional)`
}

type ChoiceFieldProps = QuestionFieldProps & { type: 'radio' | 'checkbox'; options: readonly string[] }

/** Radio buttons or checkboxes. The label of a consent is the text of its only checkbox. */
function ChoiceField({ question, name, value, error, onChange, type, options }: ChoiceFieldProps) {
  const id = useId()
  const { help, is_required: required, kind } = question
  const legend = <FieldLabelText label={toLabel(question)} required={required} />
  const toggle = (option: string, isChecked: boolean) => {
    if (type === 'radio') return onChange([option])
    onChange(isChecked ? [...value, option] : value.filter((chosen) => chosen !== option))
  }
  const { 'aria-describedby': describedBy, 'aria-invalid': isInvalid } = fieldAriaProps(id, {
    hint: help,
    error,
  })
  return (
    <fieldset className="grid min-w-0 gap-3" aria-describedby={describedBy}>
      {kind !== 'consent' && (
        <legend className={`${LABEL_CLASS} mb-1.5 wrap-anywhere`}>
          {legend}
          {required && <span className="sr-only"> (required)</span>}
        </legend>
      )}
      {options.map((option, index) => (
        <label key={option} className="-my-1 flex cursor-pointer items-start gap-3 py-1">
          <input
            type={type}
            name={name}
            data-focus={index === 0 ? name : undefined}
            checked={value.includes(option)}
            aria-describedby={describedBy}
            aria-invalid={type === 'checkbox' ? isInvalid : undefined}
            onChange={({ target }) => toggle(option, target.checked)}
            className={type === 'radio' ? 'radio-sun mt-0.75' : 'check-box'}
          />
          <bdi className="min-w-0 wrap-anywhere">{kind === 'consent' ? legend : option}</bdi>
        </label>
      ))}
      <FieldNotes id={id} hint={help} error={error} />
    </fieldset>
  )
}
