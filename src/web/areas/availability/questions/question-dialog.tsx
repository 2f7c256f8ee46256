import { type FormEvent, useState } from 'react'
import type { Question } from '#contract/appointments/questions.ts'
import type { AppointmentType } from '#contract/availability/appointment-types.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { hasChoices, listPossibleAnswers, QUESTION_KINDS } from '#core/appointments/questions.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { ApiProblem } from '#web/shared/api-client.ts'
import { deleteDraft, findDraft, storeDraft } from '#web/shared/draft.ts'
import { listTypedLines } from '#web/shared/typed-lines.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useChangeQuestions } from './question-queries.ts'
import { QUESTION_KIND_LABELS } from './question-words.ts'

type QuestionDialogProps = {
  calendarId: string
  /** The question to change, or null for a new one. Give the dialog a `key`, so that it starts with the values of the next one. */
  question: Question | null
  /** All questions of the calendar, in their order. */
  questions: readonly Question[]
  types: readonly AppointmentType[]
  open: boolean
  onOpenChange: (open: boolean) => void
}

const ALWAYS = 'always'
const ALL_TYPES = 'all'

/** Lets the owner write a question. Source: rule B33. */
export function QuestionDialog(props: QuestionDialogProps) {
  const { calendarId, question, questions, types, open, onOpenChange } = props
  const [draft] = useState(() => findQuestionDraft(calendarId))
  const [typed, setTyped] = useState(() => draft?.typed ?? question ?? newQuestion())
  const [choices, setChoices] = useState(() => draft?.choices ?? typed.choices.join('\n'))
  const { mutateAsync, isPending, error, reset } = useChangeQuestions(calendarId, questions)
  const set = (change: Partial<Question>) => setTyped({ ...typed, ...change })
  const found = questions.findIndex(({ id }) => id === question?.id)
  // A question that was removed elsewhere meanwhile is added again.
  const index = found === -1 ? questions.length : found
  const errors = error instanceof ApiProblem ? error.errors : []
  const errorOf = (field: keyof Question) =>
    errors.find(({ path }) => path.startsWith(`questions.${index}.${field}`))?.message
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const saved = { ...typed, choices: hasChoices(typed.kind) ? listTypedLines(choices) : [] }
    try {
      await mutateAsync(questions.toSpliced(index, 1, saved))
    } catch (problem) {
      if (problem instanceof ApiProblem && problem.code === 'auth.required') {
        storeDraft<QuestionDraft>(draftKey(calendarId), { shown: question, typed, choices })
      }
      return
    }
    toast.success(question === null ? 'Question added' : 'Question changed')
    if (question === null) {
      setTyped(newQuestion())
      setChoices('')
    }
    close(false)
  }
  const close = (next: boolean) => {
    reset()
    deleteDraft(draftKey(calendarId))
    onOpenChange(next)
  }
  return (
    <FormDialog
      open={open}
      onOpenChange={close}
      title={question === null ? 'Add question' : 'Edit question'}
      description={question === null ? undefined : 'Answers that you already have keep the old wording.'}
      pending={isPending}
      pendingLabel={question === null ? 'Adding...' : 'Saving...'}
      submitLabel={question === null ? 'Add question' : 'Save'}
      onSubmit={save}
    >
      {error !== null && (
        <Notice tone="danger" role="alert" title={error.message}>
          Everything you entered is still here.
        </Notice>
      )}
      <TextField
        label={typed.kind === 'consent' ? 'What customers agree to' : 'Question'}
        required
        maxLength={LIMITS.question}
        value={typed.label}
        error={errorOf('label')}
        onChange={({ target }) => set({ label: target.value })}
      />
      <TextField
        label="Help text"
        hint="Optional. Shown below the question."
        maxLength={LIMITS.question}
        value={typed.help ?? ''}
        error={errorOf('help')}
        onChange={({ target }) => set({ help: target.value || null })}
      />
      <Select
        label="Kind of answer"
        options={QUESTION_KINDS.map((kind) => ({ value: kind, label: QUESTION_KIND_LABELS[kind] }))}
        value={typed.kind}
        error={errorOf('kind')}
        onChange={(kind) => set({ kind })}
      />
      {hasChoices(typed.kind) && (
        <TextArea
          label="Choices"
          hint="One per line."
          required
          value={choices}
          error={errorOf('choices')}
          onChange={({ target }) => setChoices(target.value)}
        />
      )}
      {types.length > 0 && (
        <Select
          label="Ask for"
          options={[
            { value: ALL_TYPES, label: 'All appointment types' },
            ...types.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={typed.appointment_type_id ?? ALL_TYPES}
          onChange={(id) => set({ appointment_type_id: id === ALL_TYPES ? null : id })}
        />
      )}
      <ConditionFields earlier={questions.slice(0, index)} question={typed} onChange={set} />
      <Checkbox
        label="Customers must answer"
        checked={typed.is_required}
        onChange={(is_required) => set({ is_required })}
      />
      <Checkbox
        label="Private"
        hint="Answers are stored encrypted. Only your screens and your export show them: no emails and no calendar events."
        checked={typed.is_private}
        onChange={(is_private) => set({ is_private })}
      />
    </FormDialog>
  )
}

type ConditionFieldsProps = {
  earlier: readonly Question[]
  question: Question
  onChange: (change: Pick<Question, 'shown_if'>) => void
}

/** Lets the owner make a question depend on the answer to an earlier one. Source: rule B34. */
function ConditionFields({ earlier, question, onChange }: ConditionFieldsProps) {
  const { shown_if: condition } = question
  const possible = earlier.filter((other) => listPossibleAnswers(other).length > 0)
  if (possible.length === 0) return null
  const answersTo = (id: string) => possible.filter((other) => other.id === id).flatMap(listPossibleAnswers)
  const choose = (id: string) => {
    const [first] = answersTo(id)
    onChange({ shown_if: first === undefined ? null : { question_id: id, value: first } })
  }
  return (
    <>
      <Select
        label="Ask only after an answer to"
        options={[
          { value: ALWAYS, label: 'Ask always' },
          ...possible.map(({ id, label }) => ({ value: id, label })),
        ]}
        value={condition?.question_id ?? ALWAYS}
        onChange={choose}
      />
      {condition !== null && (
        <Select
          label="When the answer is"
          options={answersTo(condition.question_id).map((answer) => ({ value: answer, label: answer }))}
          value={condition.value}
          onChange={(value) => onChange({ shown_if: { ...condition, value } })}
        />
      )}
    </>
  )
}

/** What the owner typed before they had to log in again, and the question that they changed. Source: rule U30. */
type QuestionDraft = { shown: Question | null; typed: Question; choices: string }

/** Finds the unsaved edits of a question of this calendar that were made before the owner had to log in again. */
export function findQuestionDraft(calendarId: string): QuestionDraft | undefined {
  return findDraft(draftKey(calendarId))
}

function draftKey(calendarId: string): string {
  return `question:${calendarId}`
}

function newQuestion(): Question {
  return {
    id: crypto.randomUUID(),
    appointment_type_id: null,
    kind: 'text',
    label: '',
    help: null,
    is_required: false,
    is_private: false,
    choices: [],
    shown_if: null,
  }
}
