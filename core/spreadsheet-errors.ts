/*
 * What spreadsheets show in place of a value, in the languages of those who use them. A list,
 * because `#SALE!` and `#A/C` are texts.
 */

/** Errors that end with a sign: `#NAME?`, `#¡VALOR!`. */
const NAMES = [
  'NAME|VALUE|REF|NUM|NULL|SPILL|CALC|FIELD|BLOCKED|CONNECT|BUSY|UNKNOWN|ERROR',
  'WERT|BEZUG|ZAHL|ÜBERLAUF|KALK|FELD|BLOCKIERT|VERBINDEN',
  'NOM|VALEUR|NOMBRE|NUL|PROPAGATION|CHAMP|BLOQUÉ|CONNEXION',
  'VALOR|NÚM|NULO|DESBORDAMIENTO|CAMPO|BLOQUEADO|CONECTAR|NOME|VALORE|RIF|NULLO|ESPANSIONE|DESPEJAR',
  'NAAM|WAARDE|VERW|GETAL|LEEG|OVERLOOP|NAMN|VÄRDEFEL|REFERENS|OGILTIGT|SKÄRNING|SAKNAS',
  'NAVN|VERDI|VÆRDI|REFERENCE|OVERFLYT|OVERLØB|NIMI|ARVO|VIITTAUS|LUKU|TYHJÄ|PUUTTUU',
  'NAZWA|ARG|ADR|LICZBA|ROZLANIE|NÁZEV|NÁZOV|HODNOTA|ODKAZ|ČÍSLO|DĚLENÍ_NULOU|PŘESAH',
  'NÉV|ÉRTÉK|HIV|SZÁM|NULLA|ZÉRÓOSZTÓ|NUME|VALOARE|DEĞER|BAŞV|SAYI|BOŞ|TAŞMA',
  'ΟΝΟΜΑ|ΤΙΜΗ|ΑΝΑΦ|ΑΡΙΘ|ΚΕΝΟ|ИМЯ|ЗНАЧ|ССЫЛКА|ЧИСЛО|ПУСТО|ПЕРЕНОС|ПОСИЛАННЯ|名前|名称|値|数値',
];
/** Errors without a sign, and those that some programs write without theirs. */
const BARE =
  'N/A|N/D|N/B|N/V|I/T|Н/Д|Δ/Υ|NV|YOK|HIÁNYZIK|NENÍ_K_DISPOZICI|GETTING_DATA|REF|VALUE|DIV/0';

/** The source of a pattern for a text that is an error of a spreadsheet. */
export const SPREADSHEET_ERROR = `^#(?:[¡¿]?(?:${NAMES.join('|')}|\\p{Lu}{3,}/0)[!?]|AD\\?|${BARE})$|^Err:\\d{3}$`;
