/*
 * Languages that readers of others read, as far as their tags do not show it.
 * https://github.com/unicode-org/cldr/blob/release-48/common/supplemental/supplementalData.xml
 */

/** The children of a parent in CLDR's `parentLocales`, by their regions. */
const REGIONS = {
  'en-Latn-001':
    '150 AG AI AU BB BM BS BW BZ CC CK CM CX CY DG DM ER FJ FK FM GB GD GG GH GI GM GS GY HK ID IE IL IM IN IO JE JM KE KI KN KY LC LR LS MG MO MS MT MU MV MW MY NA NF NG NR NU NZ PG PK PN PW RW SB SC SD SG SH SL SS SX SZ TC TK TO TT TV TZ UG VC VG VU WS ZA ZM ZW',
  'en-Latn-150': 'AT BE CH CZ DE DK EE ES FI FR GE HU IT LT LV NL NO PL PT RO SE SI SK UA',
  'es-Latn-419': 'AR BO BR BZ CL CO CR CU DO EC GT HN JP MX NI PA PE PR PY SV US UY VE',
  'pt-Latn-PT': 'AO CH CV FR GQ GW LU MO MZ ST TL',
  'zh-Hant-HK': 'MO',
};

/** The parent of a language with script and region, where it is not the one without the region. */
export const PARENTS: ReadonlyMap<string, string> = new Map(
  Object.entries(REGIONS).flatMap(([parent, regions]) =>
    regions.split(' ').map((region) => [parent.replace(/[^-]+$/, region), parent] as const),
  ),
);

/**
 * The languages that readers of another one read, best first. `no` is the parent of `nb` and `nn`,
 * and means `nb` (`languageMatching`).
 */
export const ALSO_READ: ReadonlyMap<string, readonly string[]> = new Map([
  ['nb', ['no']],
  ['nn', ['no', 'nb']],
  ['no', ['nb']],
]);
