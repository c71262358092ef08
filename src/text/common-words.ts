/**
 * Everyday words that stand in any text: sharing one of them with a rule says little. They count {@link COMMON_WEIGHT} of a rarer word.
 * General English and Spanish, from no particular source.
 */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `able across actually add age ago air answer area arm around ask asked asks asking baby bad bag bed begin behind best better big bit
  black blue book books born box boy break bring brother brown build built business busy buy car card care carry cause change check
  child children choose city class clean clear close closed cold colour come comes coming common complete cook cool cost country couple
  course cut dad dark date daughter day days dear decide deep door dozen draw dream drink drive drop dry early easy eat eight end
  enough evening exactly eye eyes face fact fall family far fast father feel feels felt fill final find fine finish fire first five
  floor follow food foot form found four free fresh friend friends front full fun game garden girl glad glass green group grow guess
  hair half hand hands happen happened happens happy hard hat hate head hear heard heart help high hold home hope hot hour hours house
  human hundred husband idea important inside job keep kept key kid kids kind kitchen knew large last late later laugh lead learn least
  leave left less letter level life light line list listen little live lived living local long look looked looking looks lose lost loud
  love low main man mark matter maybe meet men message middle milk mind minute minutes miss moment money month months morning mother
  mouth move moved mum music name named names neighbour neighbours new nice night nine noise normal note number old open order outside
  page paid paper parents park part party past pay people person phone photo pick picture piece plan play please point poor possible
  power pretty price probably problem public pull push question questions quick quiet rain read ready real red rest ring road room
  round run safe school second send sense serious set seven share short side sign simple single sister sit site six size sleep slow
  small someone song sound space speak special spend spring stay step stop story street strong stuff summer sun talk talking tea
  teacher ten thank thanks thank-you think thinking third thought three today tomorrow tonight top total touch town train tree tried
  true trust try trying turn turned turns twice two type usual usually wait walk wall want warm watch water weather week weekend weeks
  white wife wind window winter woman women wonder wood work worked working works world worse worst worth write writes writing written
  wrong wrote year years yellow yesterday young
  año años bien cada casa casi cosa cosas cuando decir dia dias donde gente hacer hoy luego mismo mucho nada noche nombre nuevo otra otro
  parte persona poco puede quien semana siempre tan tanto tiempo tres vez veces vida`.split(/\s+/),
);

export const COMMON_WEIGHT = 0.3;
