type ListedType = { readonly id: string; readonly is_listed: boolean }

/**
 * Lists the types that customers can choose from: the type of the link that they opened if that is by link only, otherwise all
 * listed types. `linkedTypeId` can be any text. Source: rules T65 and T66.
 */
export function listTypesForLink<Type extends ListedType>(
  types: readonly Type[],
  linkedTypeId: string | null,
): Type[] {
  const linked = types.find(({ id, is_listed }) => !is_listed && id === linkedTypeId)
  return linked === undefined ? types.filter(({ is_listed }) => is_listed) : [linked]
}
