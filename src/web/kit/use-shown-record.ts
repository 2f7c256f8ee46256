import { useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type { ProblemCode } from '#contract/shared/problem.ts'
import type { ApiProblem } from '#web/shared/api-client.ts'
import { mergeConcurrentChange } from './changed-fields.ts'

/** A concurrent change: the stored values as readable text, and the fields that differ. */
export type ConcurrentChange = {
  readonly stored: Readonly<Record<string, unknown>>
  readonly differing: readonly string[]
}

type ShownRecordOptions<Shown, Values extends FieldValues> = {
  form: Pick<UseFormReturn<Values>, 'getValues' | 'reset'>
  /** The record that the form shows first. */
  first: Shown
  /** Converts a record to the form's values. */
  show: (record: Shown) => Values
  /** The record's values as readable text, for fields whose values are not. */
  describe?: (record: NonNullable<Shown>) => Readonly<Record<string, unknown>>
  /** Error codes that mean that the record has changed. */
  staleCodes?: readonly ProblemCode[]
}

/**
 * Keeps the record on which a form is based. Only changed fields are sent, together with their shown values, so that the
 * server can detect a concurrent change. Such a change is shown before it is overwritten, and unedited fields take it over.
 * Source: rule X4.
 */
export function useShownRecord<Shown, Values extends FieldValues>(
  options: ShownRecordOptions<Shown, Values>,
) {
  const { form, show, describe, staleCodes = ['request.changed_meanwhile'] } = options
  const [shown, setShown] = useState(options.first)
  const [overtaken, setOvertaken] = useState<ConcurrentChange | null>(null)
  const [showing, setShowing] = useState(0)

  const fill = (record: Shown, values: Values) => {
    setShown(record)
    setShowing((count) => count + 1)
    form.reset(values)
  }
  const follow = (record: Shown) => {
    setOvertaken(null)
    fill(record, show(record))
  }
  return {
    shown,
    /** Changes whenever the form is filled again: a React key for fields with their own state. */
    showing,
    overtaken,
    /** Shows a record and discards typed text. */
    follow,
    /** Discards typed text and shows the stored record. */
    takeStored: () => follow(shown),
    /**
     * If the error means that the record has changed, reloads it and shows the differences. Returns true if it did. If the
     * record cannot be reloaded, the form stays based on the shown record.
     */
    overtake: async (
      problem: ApiProblem,
      read: () => Promise<NonNullable<Shown> | undefined>,
    ): Promise<boolean> => {
      if (!staleCodes.some((code) => code === problem.code)) return false
      const record = await read().catch(() => undefined)
      if (record === undefined) return false
      const stored = show(record)
      const { values, differing } = mergeConcurrentChange({
        stored,
        was: show(shown),
        typed: form.getValues(),
      })
      setOvertaken({ stored: { ...stored, ...describe?.(record) }, differing })
      fill(record, values)
      return true
    },
  }
}
