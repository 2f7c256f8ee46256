import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { HolidayCountry, HolidayRegion, HolidaysResponse } from '#contract/availability/holidays.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { FieldPlaceholder } from '#web/kit/loading-shape.tsx'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Combobox } from '#web/ui/combobox.tsx'
import type { Option } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.tsx'
import { holidayCountriesQuery, holidaysQuery } from './availability-queries.ts'
import { guessCountry } from './guess-country.ts'

type HolidayRegionDialogProps = {
  calendar: Pick<Calendar, 'id' | 'timezone'>
  chosen: Pick<HolidaysResponse, 'country' | 'region'>
  onClose: () => void
}

/** Lets the owner choose the country and region whose public holidays are proposed. Source: rule T56. */
export function HolidayRegionDialog({ calendar, chosen, onClose }: HolidayRegionDialogProps) {
  const client = useQueryClient()
  const countries = useQuery(holidayCountriesQuery)
  const { data: known = NO_COUNTRIES } = countries
  const [typed, setTyped] = useState<HolidayRegion | null>(chosen.country === null ? null : chosen)
  const { country, region } = typed ?? {
    country: guessCountry(known, calendar.timezone, navigator.language),
    region: null,
  }
  const canBeNone = chosen.country !== null
  // Memoised, because `Combobox` forgets the typed text when the chosen option is another object.
  const countryOptions = useMemo(() => listCountryOptions(known, canBeNone), [known, canBeNone])
  const regionOptions = useMemo(() => listRegionOptions(known, country), [known, country])
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: HolidayRegion) =>
      callApi(at.changeHolidayRegion, { params: { id: calendar.id }, body }),
    onSuccess: (answer) => {
      client.setQueryData(holidaysQuery(calendar.id).queryKey, answer)
      toast.success('Region saved')
      onClose()
    },
  })
  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Public holidays"
      description="We suggest the holidays of the country and region that you choose."
      disabled={country === null && !canBeNone}
      pending={isPending}
      pendingLabel="Saving..."
      submitLabel="Save"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) mutate({ country, region })
      }}
    >
      <FormProblem message={error === null ? undefined : `Failed to save: ${toProblem(error).message}`} />
      <LoadStatus query={countries} loading="Loading countries..." failed="Failed to load countries">
        <FieldPlaceholder />
      </LoadStatus>
      {known.length > 0 && (
        <Combobox
          label="Country"
          options={countryOptions}
          value={country ?? (canBeNone ? NONE : null)}
          onChange={(value) => setTyped({ country: value === NONE ? null : value, region: null })}
        />
      )}
      {regionOptions.length > 1 && (
        <Combobox
          key={country}
          label="Region"
          options={regionOptions}
          value={region ?? NONE}
          onChange={(value) => setTyped({ country, region: value === NONE ? null : value })}
        />
      )}
    </FormDialog>
  )
}

/** The option for no country or region. */
const NONE = ''
const NO_COUNTRIES: readonly HolidayCountry[] = []

function listCountryOptions(known: readonly HolidayCountry[], canBeNone: boolean): Option[] {
  const none = canBeNone ? [{ value: NONE, label: 'None' }] : []
  return [...none, ...known.map(({ country, name }) => ({ value: country, label: name }))]
}

function listRegionOptions(known: readonly HolidayCountry[], country: string | null): Option[] {
  const { regions = [] } = known.find((each) => each.country === country) ?? {}
  return [
    { value: NONE, label: 'Whole country' },
    ...regions.map(({ region, name }) => ({ value: region, label: name })),
  ]
}
