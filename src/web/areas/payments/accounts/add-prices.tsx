import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { AppointmentType } from '#contract/availability/appointment-types.ts'
import * as at from '#contract/operations/addresses.ts'
import { appointmentTypesQuery, refreshAppointmentTypes } from '#web/kit/appointment-types-query.ts'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { SaveButton } from '#web/kit/save-button.tsx'
import { toProblem } from '#web/kit/show-problem.ts'
import { makeStoredChoice } from '#web/kit/stored-choice.ts'
import { typedPriceSchema } from '#web/kit/typed-price.ts'
import { useKeepUnsavedEdits } from '#web/kit/use-unsaved-edits.ts'
import { callApi } from '#web/shared/call-api.ts'
import { deleteDraft, findDraft } from '#web/shared/draft.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { TextField } from '#web/ui/field.tsx'
import { toast } from '#web/ui/toast.tsx'

/** Whether the owner has put the list off. Listed on the cookies page (rule D7). */
const addPrices = makeStoredChoice('add-prices', ['not_now'])

type AddPricesProps = {
  calendarId: string
  /** Receives focus when the card disappears because all types have prices. */
  home: RefObject<HTMLElement | null>
}

/** Lets the owner add prices to the types that were created before a payment provider was connected. */
export function AddPrices({ calendarId, home }: AddPricesProps) {
  const { data } = useQuery(appointmentTypesQuery(calendarId))
  if (data === undefined || !(data.stripe_connected || data.paypal_connected)) return null
  const types = data.appointment_types.filter(({ price }) => price === null)
  if (types.length === 0) return null
  // No type has a price yet when the owner returns from connecting a first provider.
  const isFirst = types.length === data.appointment_types.length
  return <AddPricesCard {...{ calendarId, types, home, isFirst }} />
}

type AddPricesCardProps = AddPricesProps & {
  types: readonly AppointmentType[]
  /** True to show the list of types at first, false to show only the button that opens it. */
  isFirst: boolean
}

function AddPricesCard({ calendarId, types, home, isFirst }: AddPricesCardProps) {
  const draftKey = toDraftKey(calendarId)
  const isPutOff = addPrices.useChoice() === 'not_now'
  const [isOpen, setOpen] = useState(() => (isFirst && !isPutOff) || findDraft(draftKey) !== undefined)
  const opener = useRef<HTMLButtonElement>(null)
  const form = useRef<HTMLFormElement>(null)
  // The pressed button no longer exists, so the focus moves on.
  const [focuses, setFocuses] = useState(false)
  useEffect(() => {
    if (!focuses) return
    if (isOpen) form.current?.querySelector('input')?.focus()
    else opener.current?.focus()
  }, [focuses, isOpen])
  const show = (open: boolean) => {
    setFocuses(true)
    setOpen(open)
  }
  const count = types.length === 1 ? '1 appointment type has' : `${types.length} appointment types have`
  return (
    <Card
      className={isOpen ? undefined : 'pb-1! sm:pb-2!'}
      title="Add prices"
      description={`${count} no price yet.`}
      actions={
        !isOpen && (
          <Button ref={opener} onClick={() => show(true)}>
            Add prices
          </Button>
        )
      }
    >
      {isOpen && (
        <AddPricesForm
          calendarId={calendarId}
          types={types}
          home={home}
          ref={form}
          onClose={() => show(false)}
        />
      )}
    </Card>
  )
}

function toDraftKey(calendarId: string): string {
  return `add-prices:${calendarId}`
}

/** Typed prices, or error messages, by the id of their type. */
type TextsByType = Readonly<Record<string, string>>

type AddPricesFormProps = AddPricesProps & {
  types: readonly AppointmentType[]
  ref: RefObject<HTMLFormElement | null>
  onClose: () => void
}

function AddPricesForm({ calendarId, types, home, ref, onClose }: AddPricesFormProps) {
  const client = useQueryClient()
  const [typed, setTyped] = useState<TextsByType>(() => findDraft(toDraftKey(calendarId)) ?? {})
  const [errors, setErrors] = useState<TextsByType>({})
  const [refusal, setRefusal] = useState<string>()
  const isEdited = types.some(({ id }) => isFilled(typed[id]))
  useKeepUnsavedEdits({ key: toDraftKey(calendarId), edits: isEdited ? typed : null, isOn: true })
  const { mutate, isPending } = useMutation({
    mutationFn: (prices: readonly NewPrice[]) => savePrices(calendarId, prices),
    onSuccess: async (saved) => {
      setRefusal(saved.refusal ?? undefined)
      if (saved.count > 0) toast.success(saved.count === 1 ? 'Price saved' : `${saved.count} prices saved`)
      await refreshAppointmentTypes(client, calendarId)
      if (saved.refusal !== null) return
      deleteDraft(toDraftKey(calendarId))
      if (saved.count === types.length) home.current?.focus()
      else onClose()
    },
  })
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (isPending) return
    const { prices, unreadable } = readPrices(types, typed)
    setErrors(unreadable)
    setRefusal(undefined)
    const [first] = Object.keys(unreadable)
    if (first !== undefined) document.getElementById(toFieldId(first))?.focus()
    else mutate(prices)
  }
  return (
    <form ref={ref} noValidate onSubmit={save} aria-label="Prices" className="flex min-w-0 flex-col gap-5">
      <FormProblem message={refusal} />
      <div className="grid min-w-0 gap-5 sm:grid-cols-2">
        {types.map(({ id, name, fee_note }) => (
          <TextField
            key={id}
            id={toFieldId(id)}
            label={`${name} (€)`}
            inputMode="decimal"
            maxLength={20}
            autoComplete="off"
            hint={
              fee_note !== null && (
                <>
                  Fee note: <bdi>{fee_note}</bdi>
                </>
              )
            }
            error={errors[id]}
            value={typed[id] ?? ''}
            onChange={({ target }) => setTyped({ ...typed, [id]: target.value })}
            className="min-w-0 wrap-anywhere"
          />
        ))}
      </div>
      <div className="flex flex-wrap gap-3">
        <SaveButton isEdited={isEdited} pending={isPending}>
          Save prices
        </SaveButton>
        <Button
          onClick={() => {
            deleteDraft(toDraftKey(calendarId))
            addPrices.choose('not_now')
            onClose()
          }}
        >
          Not now
        </Button>
      </div>
    </form>
  )
}

function toFieldId(typeId: string): string {
  return `price-of-${typeId}`
}

function isFilled(text: string | undefined): boolean {
  return (text ?? '').trim() !== ''
}

type NewPrice = { readonly type: AppointmentType; readonly price: number }

/** Reads the typed prices, and explains those that are unreadable. */
function readPrices(types: readonly AppointmentType[], typed: TextsByType) {
  const prices: NewPrice[] = []
  const unreadable: Record<string, string> = {}
  for (const type of types) {
    const { data: price = null, error } = typedPriceSchema.safeParse(typed[type.id] ?? '')
    if (error !== undefined) unreadable[type.id] = error.issues[0]?.message ?? ''
    else if (price !== null) prices.push({ type, price })
  }
  return { prices, unreadable }
}

/** Saves prices one after the other, until one is refused. Returns how many were saved, and the refusal. */
async function savePrices(calendarId: string, prices: readonly NewPrice[]) {
  let count = 0
  for (const { type, price } of prices) {
    try {
      await callApi(at.updateAppointmentType, {
        params: { id: calendarId, type_id: type.id },
        body: { price, was: { price: null } },
      })
    } catch (error) {
      const { message, errors } = toProblem(error)
      return { count, refusal: `The price of ${type.name} wasn’t saved: ${errors[0]?.message ?? message}` }
    }
    count += 1
  }
  return { count, refusal: null }
}
