/** Short comments as people type them: slang, no articles, words that other languages have too. All are English. */
export const SLANGY_ENGLISH = `no u
lol no
me neither lol
no me gusta lol
so am i
das crazy bro
on god no cap
he die at the end
die mad about it
an absolute unit
ma dude
son of a gun
es ok i guess
que lol
si senor lol
no no no no
o no
a la mode
de facto leader lol
du hast
le sigh
la la la
le epic win
mi amigo lol
was ist das lol
man was so hyped
man so war was over
in was over before
war in a nutshell
wet hat was on sale
the men in hat
hat in hand
bro was in a coma
as if
as a dad no
no one on no side
pls no
i hate u
wtf man
ur mom lol
u mad bro
gg ez
lmao dead
bruh moment
come on son
a come on
il be back
il do it if u do
par for the course
per my last email
pour one out
ses what now
et tu brute
son im crine
mes que un club fan here
un un believable
plus one
plus ultra
tout suite lol
on fait rien lol jk
mon the biffy
ton of bricks
main character syndrome
con artist
con job
pro con list
sin city
sin bin for him
ten out of ten
do da do da
da bears
no da
eu laws lol
um no
um ok
um a hem
mas que nada slaps
ate and left no crumbs
mare was fast
dos not unix
dos attack lol
das boot was on tv
der derp
den den den
tag im it
rad af
rot in hell
gift card scam
die die die
he so annoying die already
fast food is mid
war thunder is p2w
nun of ur business
bin there done that
bin it
also no
also was he in on it
hell no
fun in la
la is hot
la lakers in 6
los angeles in 5
el paso tx
el camino > all
san jose sharks en fuego
del rey is so mid
come back come back
ti amo marshmallow
ma ma ma
ci am ci am
come si come sa
no, u
me no like
me too
y tho
y u no
k
ok boomer
smh my head
this
nah fam
nope
delete this
source?
user name checks out
i no rite
im on it
is it me
do u lift
an an an
no es bueno
no bueno
muy thai class
por que no los dos
que pasa bro
sad lol
reported
cringe af
touch grass
rip in peace
imagine simping
sus
bot
ratio
based`.split("\n");

/** Short sentences of other languages, as they stand in comments. */
export const SHORT_SENTENCES: Readonly<Record<string, string>> = {
  es: `No entiendo por qué lo han borrado
Esto es una vergüenza para todos
Me gusta mucho este foro
Yo creo que el moderador tiene razón
Eso no es verdad y lo sabes
Alguien sabe dónde se puede comprar
Que te den por ahí
Hoy no hay nadie aquí
Muchas gracias por la ayuda con la bici
La verdad es que no me parece bien
Vete a tu casa y no vuelvas
Ese vídeo ya lo he visto mil veces`,
  pt: `Não entendo por que apagaram isso
Isso é uma vergonha para todos
Eu gosto muito deste fórum
Acho que o moderador tem razão
Alguém sabe onde se pode comprar
Hoje não tem ninguém aqui
Muito obrigado pela ajuda com a bicicleta
Você não sabe do que está falando
Vai para casa e não volta mais
Esse vídeo eu já vi mil vezes
Quem foi que disse isso
Uma das melhores coisas que já comi`,
  fr: `Je ne comprends pas pourquoi c'est supprimé
C'est une honte pour tout le monde
J'aime beaucoup ce forum
Je pense que le modérateur a raison
Ce n'est pas vrai et tu le sais
Est-ce que quelqu'un sait où on peut acheter ça
Il n'y a personne ici aujourd'hui
Merci beaucoup pour votre aide avec le vélo
Rentre chez toi et ne reviens pas
J'ai déjà vu cette vidéo mille fois
Tu dis n'importe quoi comme d'habitude
On est très bien dans cette maison`,
  it: `Non capisco perché lo hanno cancellato
È una vergogna per tutti
Mi piace molto questo forum
Credo che il moderatore abbia ragione
Non è vero e lo sai anche tu
Qualcuno sa dove si può comprare
Oggi non c'è nessuno qui
Grazie per il tuo aiuto con la bici
Vai a casa e non tornare più
Questo video l'ho già visto mille volte
Ma che cosa stai dicendo
Sono stato in Italia con la mia famiglia`,
  de: `Ich verstehe nicht warum das gelöscht wurde
Das ist eine Schande für alle
Ich mag dieses Forum sehr
Ich glaube der Moderator hat recht
Das ist nicht wahr und das weißt du
Weiß jemand wo man das kaufen kann
Heute ist niemand hier
Vielen Dank für die Hilfe mit dem Fahrrad
Geh nach Hause und komm nicht wieder
Das Video habe ich schon tausendmal gesehen
Was soll das denn sein
Wir haben auch noch eine Frage`,
  ca: `No entenc per què ho han esborrat
Això és una vergonya per a tothom
M'agrada molt aquest fòrum
Crec que el moderador té raó
No és veritat i ho saps
Algú sap on es pot comprar
Avui no hi ha ningú aquí
Moltes gràcies per l'ajuda amb la bici
Ves a casa teva i no tornis més
Aquest vídeo ja l'he vist mil vegades
Som els millors de la nostra comarca
Encara no han arribat els llibres`,
};

/** Others like `SLANGY_ENGLISH`, on which nothing was tuned. */
export const MORE_ENGLISH = `hat trick in 10 min
war crimes lol
die hard is a xmas movie
gut feeling says no
bin chicken
art is dead
rat poison in a can
tag urself
fast n furious 12 when
per usual
main event in vegas
mine is on sale
pain au chocolat > all
chat is this real
son u need help
come at me
sin tax
con man in a suit
ten bucks says no
dos and donts
as in so as
um actually
mas o menos lol
la croix hater
le bron
el nino is a b
no más
de nada
an era
era of no sleep
sale ends in 2
so am man
man o man
los doyers
del taco run
si
tu madre lol
plus size
pour decisions
a ver si
on y va lads
das a lot
des moines iowa
du jour
mi scusi lol
ma bad
due in an hour
pure evil
sera sera
ha ha ha
an ox in a ditch
was he on a no fly list
me as a dad
no ma
als ice bucket
sans undertale
ni no kuni
ella fitzgerald
ya no
ya mad
lo siento bro
con air is kino
o captain
e girl
i e
os x
ou boomer sooner
no os
das ist lit
ja morant is him
nein lol`.split("\n");
