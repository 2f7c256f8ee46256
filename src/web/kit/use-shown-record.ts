import { useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type { ProblemCode } from '#contract/shared/problem.ts'
import type { ApiProblem } from '#web/shared/api-client.ts'
import { mergeConcurrentChange } from './changed-fields.ts'

/** A concurrent change: the stored values as readable text, and the fields in which they differ from the typed values. */
export type ConcurrentChange = {
  readonly stored: Readonly<Record<string, unknown>>
  readonly differing: readonly string[]
}

type ShownRecordOptions<Shown, Values extends FieldValues> = {
  form: Pick<UseFormReturn<Values>, 'getValues' | 'reset'>
  /** The record that the form shows at first. */
  first: Shown
  /** Converts a record to the form's values. */
  show: (record: Shown) => Values
  /** Converts the record's values to readable text, for fields whose form values are not readable. */
  describe?: (record: NonNullable<Shown>) => Readonly<Record<string, unknown>>
  /** The error codes which mean that the record has changed. */
  staleCodes?: readonly ProblemCode[]
}

/**
 * Tracks the record on which a form is based. The form sends only changed fields, together with the values it showed for them, so
 * that the server can detect a concurrent change. The form shows such a change before the user can overwrite it, and unedited
 * fields take the new values. Source: rule X4.
 */
export function useFormBaseRecord<Shown, Values extends FieldValues>(
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
    /** Changes whenever the form is filled with a record again. Use it as the React key of fields with their own state. */
    showing,
    overtaken,
    /** Shows a record and discards the typed text. */
    follow,
    /** Discards the typed text and shows the stored record. */
    takeStored: () => follow(shown),
    /**
     * Reloads the record and shows the differences if the error means that the record has changed. Returns true in that case. If
     * the record cannot be reloaded, the form stays based on the record it shows.
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
