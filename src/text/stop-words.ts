/** Words that say nothing about what a rule or a post is about, and the deontic words of rules, which are read elsewhere. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again all also always am among an and another any anybody anyone anything are as at away back be because been
  before being below between both but by can could did do does doing down during each either else even ever every everybody everyone
  everything few for from further get gets getting give given gives go goes going good got had has have having he her here hers him
  his how however i if in into is it its itself just keep know let like likes lot made make makes making many may me mean merely might
  mine more most much must my myself near need needs never next no nobody none nor not nothing now of off often on once one ones only
  onto or other others our ours out over own part per perhaps place put puts quite rather really right said same say saying says see
  seem seems shall she should show shows since so some somebody someone something sort stand stands still such sure take taken takes
  tell tells than that the their theirs them then there these they thing things this those though through thus time to together told
  too under until up upon us use used uses using very want wants was way we well went were what whatever when where whether which while
  who whoever whole whom whose why will with within without word words would yes yet you your yours yourself
  allowed allow allows exception exceptions removed remove removes removal rule rules post posts posted posting comment comments member
  members moderator moderators community content text title titles body apply applies covered cover covers count counts counted
  stay stays stayed moved move locked neither
  tag tags tagged marked begin begins beginning start starts answer answers reply replies critique critiques feedback thread front
  different particular concrete plain plainly expressly example examples reason reasons case cases
  el la los las un una unos unas de del al y o u que en con por para sin no se su sus es son lo le les como mas pero ya este esta estos
  estas eso esto ese esa mi mis tu tus muy tambien si ni ser estar hay haber ha han he hemos va van ir todo toda todos todas uno dos
  texto titulo publicacion publicaciones comentario comentarios regla excepcion permitido retira retiran`.split(/\s+/),
);
