import { formatEuro } from '#web/shared/format-money.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** Price and payment of a type: disabled while no payment provider is connected. Source: spec §5. */
export function PriceFields({ price }: { price: number | null }) {
  return (
    <div className="flex flex-col gap-3">
      <TextField
        label="Price (€)"
        type="number"
        step={0.01}
        min={0}
        disabled
        defaultValue={price === null ? '' : price.toFixed(2)}
        hint="Connect Stripe or PayPal in Payment Settings to set prices."
      />
      <Checkbox label="Payment required" checked={false} disabled onChange={() => undefined} />
      {price !== null && (
        <Notice tone="warning">
          Saving removes the price of {formatEuro(price)}, because no payment provider is connected.
        </Notice>
      )}
    </div>
  )
}
