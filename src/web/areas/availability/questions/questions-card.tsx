import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import type { Question } from '#contract/appointments/questions.ts'
import type { AppointmentType } from '#contract/availability/appointment-types.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { appointmentTypesQuery } from '#web/kit/appointment-types-query.ts'
import { DeleteButton, EditButton } from '#web/kit/item-buttons.tsx'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { LinePlaceholder } from '#web/kit/loading-shape.tsx'
import { questionsQuery } from '#web/kit/questions-query.ts'
import { useEditDialog } from '#web/kit/use-edited-record.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ChevronDown } from '#web/ui/icons/chevron-down.ts'
import { ChevronUp } from '#web/ui/icons/chevron-up.ts'
import { Plus } from '#web/ui/icons/plus.ts'
import { toast } from '#web/ui/toast.tsx'
import { findQuestionDraft, QuestionDialog } from './question-dialog.tsx'
import { useChangeQuestions } from './question-queries.ts'
import { QUESTION_KIND_LABELS } from './question-words.ts'

const TITLE = 'Questions'

/** Lets the owner add, change, order and remove the questions that customers answer when they book. Source: rule B33. */
export function QuestionsCard({ calendarId }: { calendarId: string }) {
  const query = useQuery(questionsQuery(calendarId))
  const { data: types } = useQuery(appointmentTypesQuery(calendarId))
  const questions = query.data ?? []
  const dialog = useEditDialog<Question>(() => findQuestionDraft(calendarId))
  const addButton = useRef<HTMLButtonElement>(null)
  const { mutate, isPending } = useChangeQuestions(calendarId, questions)
  const change = (next: readonly Question[], done: string) => {
    if (isPending) return
    mutate(next, {
      onSuccess: () => toast.success(done),
      onError: (error) => toast.error(`Failed to change the questions: ${error.message}`),
    })
  }
  return (
    <Card
      title={TITLE}
      description="What customers answer when they book."
      actions={
        <Button
          ref={addButton}
          disabled={query.data === undefined || questions.length >= LIMITS.questions}
          onClick={() => dialog.edit(null)}
        >
          <Plus aria-hidden="true" className="size-5" />
          Add question
        </Button>
      }
    >
      <LoadStatus query={query} loading="Loading questions..." failed="Failed to load questions">
        <LinePlaceholder className="w-56" />
      </LoadStatus>
      {query.data?.length === 0 && (
        <p className="text-ink-soft">No questions yet. The form asks for name, email, phone and notes.</p>
      )}
      {questions.length > 0 && (
        <ol aria-label={TITLE} className="flex flex-col gap-3">
          {questions.map((question, index) => (
            <li key={question.id}>
              <QuestionItem
                question={question}
                type={types?.appointment_types.find(({ id }) => id === question.appointment_type_id) ?? null}
                onMove={(step) => change(move(questions, index, step), 'Order changed')}
                isFirst={index === 0}
                isLast={index === questions.length - 1}
                onEdit={() => dialog.edit(question)}
                onRemove={() => {
                  change(remove(questions, question.id), 'Question removed. Its answers stay.')
                  addButton.current?.focus()
                }}
              />
            </li>
          ))}
        </ol>
      )}
      {query.data !== undefined && (
        <QuestionDialog
          key={dialog.key}
          calendarId={calendarId}
          question={dialog.record}
          questions={questions}
          types={types?.appointment_types ?? []}
          open={dialog.open}
          onOpenChange={dialog.setOpen}
        />
      )}
    </Card>
  )
}

type QuestionItemProps = {
  question: Question
  /** The only type whose bookings ask the question, if there is one. */
  type: AppointmentType | null
  isFirst: boolean
  isLast: boolean
  onMove: (step: -1 | 1) => void
  onEdit: () => void
  onRemove: () => void
}

function QuestionItem({ question, type, isFirst, isLast, onMove, onEdit, onRemove }: QuestionItemProps) {
  const { label, kind, is_required: isRequired, is_private: isPrivate, shown_if: condition } = question
  return (
    <article aria-label={label} className="min-w-0 rounded-control border border-line bg-surface p-4">
      <div className="flex items-start justify-between gap-3 max-sm:flex-col">
        <div className="min-w-0">
          <h3 dir="auto" className="min-w-0 font-sans text-base font-semibold tracking-normal wrap-anywhere">
            {label}
          </h3>
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-soft">
            <span>{QUESTION_KIND_LABELS[kind]}</span>
            {type !== null && <span className="wrap-anywhere">Only for {type.name}</span>}
            {isRequired && <Badge>Required</Badge>}
            {isPrivate && <Badge>Private</Badge>}
            {condition !== null && <span className="wrap-anywhere">Asked after “{condition.value}”</span>}
          </p>
        </div>
        <div className="-me-2 -mt-2 flex shrink-0 gap-1 max-sm:-ms-2 max-sm:mt-0">
          <MoveButton label={`Move up ${label}`} isDisabled={isFirst} onPress={() => onMove(-1)}>
            <ChevronUp aria-hidden="true" className="size-4" />
          </MoveButton>
          <MoveButton label={`Move down ${label}`} isDisabled={isLast} onPress={() => onMove(1)}>
            <ChevronDown aria-hidden="true" className="size-4" />
          </MoveButton>
          <EditButton name={label} onPress={onEdit} />
          <DeleteButton label={`Remove ${label}`} onPress={onRemove} />
        </div>
      </div>
    </article>
  )
}

type MoveButtonProps = { label: string; isDisabled: boolean; onPress: () => void; children: ReactNode }

/** Stays focusable at the ends of the list, so that keyboard users do not lose the focus. */
function MoveButton({ label, isDisabled, onPress, children }: MoveButtonProps) {
  return (
    <Button
      size="sm"
      variant="ghost"
      className="touch:min-w-11"
      aria-label={label}
      aria-disabled={isDisabled || undefined}
      onClick={() => !isDisabled && onPress()}
    >
      {children}
    </Button>
  )
}

/** Moves a question by one place. */
function move(questions: readonly Question[], index: number, step: -1 | 1): Question[] {
  const next = [...questions]
  next.splice(index + step, 0, ...next.splice(index, 1))
  return next
}

function remove(questions: readonly Question[], id: string): Question[] {
  return questions.filter((question) => question.id !== id)
}
