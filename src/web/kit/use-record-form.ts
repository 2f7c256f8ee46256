import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type DefaultValues, type FieldPath, type FieldValues, useForm } from 'react-hook-form'
import type { z } from 'zod'
import type { ProblemCode } from '#contract/shared/problem.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { findDraft, forgetDraft, keepDraft } from '#web/shared/draft.ts'
import { toast } from '#web/ui/toast.tsx'
import { listDiffering } from './changed-fields.ts'
import { contractResolver } from './contract-resolver.ts'
import { showProblem, toProblem } from './show-problem.ts'
import { useKeptEdits } from './use-kept-edits.ts'
import { useShownRecord } from './use-shown-record.ts'

/** Unsaved values, and the record that the form showed while they were typed. */
export type RecordDraft<Stored, Input> = { values: Input; shown: Stored }

type RecordFormOptions<Stored, Input extends FieldValues, Output extends FieldValues> = {
  /** The record to change; null, where the type allows it, to make one. */
  stored: Stored
  /** Names the form and its record among the kept edits. */
  draftKey: string
  schema: z.ZodType<Output, Input>
  /** Whether a field is checked when it is left, or only when the form is sent. */
  mode?: 'onTouched' | 'onSubmit'
  /** What the form shows of a record, or of a new one. */
  show: (stored: Stored) => Input
  /** The stored values in words, where the form's values are none. */
  describe?: (stored: NonNullable<Stored>) => Readonly<Record<string, unknown>>
  /** The fields beside which a refusal can be shown, where those are not all. */
  fields?: readonly FieldPath<Input>[]
  /** How long edits are kept: while any other page is open, or, as in a dialog, only for the way to the login and back. */
  keepFor?: 'other_pages' | 'login'
  /** What is kept of the edits, where that is not all: no secrets. */
  keep?: (values: Input) => Input
  /** What is wrong with the values beside the record that was shown; asked before anything is sent. */
  check?: (values: Output, shown: Stored) => { field: FieldPath<Input>; message: string } | null
  /** Saves what was typed, and returns what the form shows then: the record, or null for the next new one. */
  send: (values: Output, shown: Stored) => Promise<Stored>
  /** The refusals that say that the record has changed, where they are not the usual one. */
  staleCodes?: readonly ProblemCode[]
  /** Loads the record again after such a refusal; undefined when it is gone. */
  readAgain: (shown: Stored) => Promise<NonNullable<Stored> | undefined>
  onSaved: (saved: Stored, sent: { values: Output; shown: Stored }) => void | Promise<void>
  /** The toast when it is not saved. */
  failed: (sentence: string) => string
}

/**
 * A form about a record, on a page or in a dialog, that changes the record or makes one. It follows the record until
 * somebody types. From then on it keeps typed text through failed requests, the login of an ended session, other pages,
 * and changes in another window. Those are shown before they are overwritten. Source: rules U30, X4.
 */
export function useRecordForm<Stored, Input extends FieldValues, Output extends FieldValues = Input>(
  options: RecordFormOptions<Stored, Input, Output>,
) {
  const { stored, draftKey, show, describe, keepFor = 'other_pages', keep = (values) => values } = options
  const [draft] = useState(() => findDraft<RecordDraft<Stored, Input>>(draftKey))
  const form = useForm<Input, unknown, Output>({
    mode: options.mode ?? 'onTouched',
    resolver: contractResolver(options.schema),
    // Complete values are default values too; the type cannot tell for a type parameter.
    defaultValues: (draft?.values ?? show(stored)) as DefaultValues<Input>,
  })
  const { shown, overtaken, showing, follow, overtake, takeStored } = useShownRecord({
    form,
    first: draft?.shown ?? stored,
    show,
    ...(describe && { describe }),
    ...(options.staleCodes && { staleCodes: options.staleCodes }),
  })
  const { mutateAsync } = useMutation({
    mutationFn: (sent: { values: Output; shown: Stored }) => options.send(sent.values, sent.shown),
  })
  const values = form.watch()
  const isEdited = listDiffering(values, show(shown)).length > 0
  const toDraft = (typed: Input): RecordDraft<Stored, Input> => ({ values: keep(typed), shown })
  const isKept = listDiffering(keep(values), show(shown)).length > 0
  const isRestored = useKeptEdits({
    key: draftKey,
    edits: isKept ? toDraft(values) : null,
    isOn: keepFor === 'other_pages',
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a record that was read anew is followed
  useEffect(() => {
    if (!isEdited && stored !== shown) follow(stored)
  }, [stored])

  /** Says why nothing was saved. Typed text stays. */
  const refuse = async (error: unknown) => {
    const problem = toProblem(error)
    if (problem.code === 'auth.required') keepDraft(draftKey, toDraft(form.getValues()))
    if (await overtake(problem, () => options.readAgain(shown))) return
    toast.error(options.failed(problem.message))
    const fields = options.fields ?? (Object.keys(show(shown)) as FieldPath<Input>[]) // flat, unless `fields` are given
    showProblem(withFieldPaths(problem, fields), form.setError, fields)
  }
  const save = form.handleSubmit(async (checked) => {
    const remark = options.check?.(checked, shown) ?? null
    if (remark !== null) {
      form.setError(remark.field, { message: remark.message }, { shouldFocus: true })
      return
    }
    const sent = { values: checked, shown }
    let saved: Stored
    try {
      saved = await mutateAsync(sent)
    } catch (error) {
      await refuse(error)
      return
    }
    giveUp()
    follow(saved)
    await options.onSaved(saved, sent)
  })
  const giveUp = () => forgetDraft(draftKey)
  const discard = () => follow(stored)
  return {
    form,
    values,
    shown,
    isEdited,
    save,
    overtaken,
    showing,
    takeStored,
    /** Shows the stored record again. */
    discard,
    discardRestored: isRestored ? discard : undefined,
    /** Drops kept edits when a dialog is closed; the form itself starts anew when it is opened again. */
    giveUp,
  }
}

/** `reminder_settings.hours` is the field `hours` of its form, unless the form names the whole path. */
function withFieldPaths(problem: ApiProblem, fields: readonly string[]): ApiProblem {
  const errors = problem.errors.map(({ path, message }) => ({
    path: fields.includes(path) ? path : (path.split('.').at(-1) ?? path),
    message,
  }))
  return new ApiProblem({ code: problem.code, status: problem.status, title: problem.message, errors })
}
