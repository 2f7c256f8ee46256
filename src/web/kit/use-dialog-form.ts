import { useState } from 'react'
import { type DefaultValues, type FieldPath, type FieldValues, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { findDraft, forgetDraft, keepDraft } from '#web/shared/draft.ts'
import { toast } from '#web/ui/toast.tsx'
import { contractResolver } from './contract-resolver.ts'
import { showFieldProblems, toProblem } from './show-problem.ts'
import { useShownRecord } from './use-shown-record.ts'

/** Unsaved values from before a login; `record` is null when they were of something new. */
export type DialogDraft<Stored, Input> = { values: Input; record: Stored | null }

type DialogFormOptions<Stored, Input extends FieldValues, Output extends FieldValues> = {
  /** The record to change, or null to make one. */
  record: Stored | null
  /** Names the form and its calendar among the kept edits. */
  draftKey: string
  schema: z.ZodType<Output, Input>
  mode?: 'onTouched'
  /** What the form shows of a record, or of a new one. */
  show: (record: Stored | null) => Input
  /** The stored values in words, where the form's values are none. */
  describe: (record: Stored) => Readonly<Record<string, unknown>>
  /** The fields beside which a refusal can be shown. */
  fields: readonly FieldPath<Input>[]
  /** Makes a record, or changes the one that was shown. */
  send: (values: Output, shown: Stored | null) => Promise<unknown>
  readAgain: (shown: Stored | null) => Promise<Stored | undefined>
  /** The toast when it is not saved; null where `send` has said so. */
  failed: (sentence: string, shown: Stored | null) => string | null
  onSaved: () => void | Promise<void>
}

/**
 * A form in a dialog that makes a record or changes one. Typed text survives a failed request and the way to the login. A
 * change in another window is shown before it can be overwritten.
 */
export function useDialogForm<Stored, Input extends FieldValues, Output extends FieldValues>(
  options: DialogFormOptions<Stored, Input, Output>,
) {
  const { draftKey, schema, show, describe } = options
  const [draft] = useState(() => findDraft<DialogDraft<Stored, Input>>(draftKey))
  const form = useForm<Input, unknown, Output>({
    mode: options.mode ?? 'onSubmit',
    resolver: contractResolver(schema),
    // Complete values are default values too; the type cannot tell for a type parameter.
    defaultValues: (draft?.values ?? show(options.record)) as DefaultValues<Input>,
  })
  const { shown, overtaken, overtake, takeStored } = useShownRecord({
    form,
    first: options.record,
    show,
    describe: (record) => (record === null ? {} : describe(record)),
  })

  const tell = async (error: unknown, values: Output) => {
    const problem = toProblem(error)
    if (problem.code === 'auth.required') keepDraft(draftKey, { values, record: shown })
    if (await overtake(problem, () => options.readAgain(shown))) return
    const sentence = options.failed(problem.message, shown)
    if (sentence !== null) toast.error(sentence)
    if (!showFieldProblems(problem, form.setError, options.fields)) {
      form.setError('root', { message: problem.message })
    }
  }

  const save = form.handleSubmit(async (values) => {
    try {
      await options.send(values, shown)
    } catch (error) {
      await tell(error, values)
      return
    }
    giveUp()
    form.reset(show(null))
    await options.onSaved()
  })
  const giveUp = () => forgetDraft(draftKey)
  return { form, save, giveUp, overtaken, takeStored }
}
