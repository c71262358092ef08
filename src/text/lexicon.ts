/**
 * General vocabulary of moderation: words that name the same kind of thing, in English and Spanish. A rule that speaks of one and a post
 * that speaks of another of the same group are about the same matter. Phrases are written with spaces. The groups are general
 * knowledge about what community rules govern; no entry is there for the sake of a single post.
 */
export const CONCEPTS: Readonly<Record<string, string>> = {
  sell: "sell, selling, sold, sale, for sale, seller, best offer, up for grabs, open to offers, vendo, vende, vender, venta, ventas",
  buy: "buy, buying, bought, purchase, want to buy, wtb, looking to buy, buyer, compro, comprar, compra",
  swap: "swap, swapped, trade, trading, traded, exchange, barter, in return, in exchange, intercambio, intercambiar, cambio, trueque",
  free_gift:
    "free, gift, give away, giving away, giveaway, for nothing, for free, no strings, donate, regalo, regalar, regala, gratis",
  money:
    "money, pay, paid, pays, payment, fee, fees, charge, charges, cash, deposit, price, prices, priced, cost, costs, cheap, expensive, budget, income, salary, dinero, pagar, precio, precios, cuesta, costo",
  discount:
    "discount, discounts, percent off, % off, cheaper, bundle, deal, bargain, half price, on sale, coupon, voucher, promo, rebaja, descuento, oferta",
  advertise:
    "advertise, advertising, advertisement, advert, promote, promotion, promotional, promoting, self-promotion, marketing, sponsor, sponsored, campaign, check out my, out now, now live, publicidad, anunciar, promocion",
  referral:
    "referral, affiliate, referral code, promo code, coupon code, sign up bonus, invite code, discount code, at the checkout",
  own_work:
    "i made, i built, i wrote, i run, my shop, our shop, my store, our store, my page, our page, my site, my channel, our channel, my blog, my company, our company, our studio, my studio, my game, our game, my book, my own, we made, we sell, mi tienda, nuestra tienda, mi pagina, mi canal",
  business:
    "business, businesses, shop, shops, store, company, firm, commercial, dealer, workshop, professional, service, trade name, retailer, negocio, tienda, empresa, taller",
  recommend:
    "recommend, recommends, recommended, recommendation, go to, ask for, can't go wrong, highly, worth every, recomiendo, recomendar",
  link: "link, links, linked, linking, url, enlace, enlaces",
  phone:
    "phone, telephone, phone number, mobile, call me, ring me, text me, whatsapp, telefono, movil, llamar, llamadme",
  email: "e-mail, email, e-mail address, mail address, correo",
  address: "street address, address, house number, direccion",
  private: "private, personal, identity, surname, full name, number plate, workplace, privado, privada",
  public_office:
    "library, office, public office, emergency service, council, town hall, city hall, municipal, county, hospital, school, police, published, hotline, official, biblioteca, ayuntamiento, colegio, oficina",
  insult:
    "insult, insults, idiot, idiots, moron, morons, stupid, dumb, pathetic, clown, clowns, loser, losers, fool, fools, imbecile, jerk, trash, garbage, worthless, useless, brainless, disgusting, liar, liars, coward, ignorant, lazy, childish, ridiculous, idiota, imbecil, tonto, estupido, payaso, inutil",
  demean:
    "demean, demeaning, degrading, mock, mocking, sneer, sneering, look down, belittle, people like you, nobody wants you, go away, grow up, shame on you, embarrass, ashamed",
  threat:
    "threat, threaten, hurt, harm, beat up, punch, kill, smash, break your, regret it, watch your back, find you, pay for this, amenaza",
  medicine:
    "medicine, medical, medication, drug, drugs, pill, pills, tablet, tablets, dose, prescription, antibiotic, painkiller, ibuprofen, insulin, medicina, pastilla, pastillas",
  health:
    "doctor, health, symptom, symptoms, diagnosis, pain, hurts, aches, fever, rash, infection, injury, dentist, tooth, vet, pharmacist, swollen, bleeding, sick, illness, medico, dolor, fiebre",
  legal:
    "legal, lawyer, law, contract, lease, sue, court, rights, landlord, eviction, custody, liability, abogado, contrato",
  finance:
    "financial, finance, invest, investment, stocks, shares, mortgage, loan, debt, savings, tax, taxes, crypto, bitcoin, pension, inversion, impuestos",
  advice:
    "advice, advise, what should i do, should i, what do i do, how do i, how can i, can i, is it safe, is it ok, recommendation, consejo, que hago",
  weapon: "weapon, weapons, gun, guns, pistol, rifle, ammunition, ammo, knife, dagger, sword, arma, armas",
  alcohol:
    "alcohol, beer, wine, whisky, vodka, rum, gin, schnapps, liquor, spirits, brandy, cider, cerveza, vino, licor",
  tobacco: "tobacco, cigarette, cigarettes, cigar, cigars, vape, vapes, tabaco, cigarrillos",
  animal:
    "live animals, puppy, puppies, kitten, kittens, breeder, litter, pet, pets, dog, cat, animal, animals, cachorro, gatito, mascotas",
  counterfeit: "counterfeit, fake, replica, knock-off, credentials, account for sale, login, falsificado",
  voting:
    "upvote, upvotes, vote, votes, voting, likes, five stars, ratings, nice review, leave a review, review swap, votar, voto",
  politics:
    "election, elections, referendum, candidate, candidates, party politics, politics, political, mayor, ballot, government, elecciones, politica, partido",
  accuse:
    "accuse, accused, accusing, accusation, stole, steals, stealing, thief, theft, fraud, scam, scammer, cheated, robbed, vandal, crime, wrongdoing, robo, estafa, ladron",
  injury:
    "graphic injury, wound, wounds, blood, bleeding, stitches, surgery, operation, procedure, needle, injection, scalpel, broken bone, burn, herida, sangre, cirugia",
  death: "death, dead, died, dies, killed, corpse, funeral, muerte, muerto, murio",
  spoiler:
    "spoiler, spoilers, plot, ending, ends, killer, murderer, twist, reveals, turns out, dies at the end, gives away, did it",
  piracy:
    "pirated, piracy, torrent, torrents, stream, streams, streaming, download, downloads, cracked, full movie, pirata, descargar",
  exam: "exam, exams, test, tests, quiz, quizzes, take-home, midterm, final exam, minutes left, countdown, timer, graded, examen",
  homework: "homework, assignment, essay, worksheet, coursework, thesis, hand in, deadline, task, tarea, deberes",
  haste:
    "urgent, urgently, asap, a.s.a.p, hurry, due tonight, due tomorrow, right now, help me, please help, urgente, ayuda",
  beg: "beg, begging, spare, broke, hand out, handout, donation, donations, gofundme, fundraiser, can anyone send, chip in, crowdfunding, pedir, limosna",
  survey:
    "survey, surveys, questionnaire, poll, polls, fill in, take part, respondents, my research, my thesis, anonymous, encuesta, cuestionario",
  spam: "spam, followers, quick income, passive income, earn, easy money, giveaway winner, dm me for, click here, subscribe",
  event:
    "event, events, announcement, announcements, invite, invites, invitation, workshop, meet-up, meetup, join us, come along, evento, anuncio, taller, encuentro, jornada",
  offer:
    "offer, offers, offering, offered, for sale, selling, sell, giving away, i can, happy to, glad to, available, ofrezco, ofrecer, ofrecen",
  request:
    "request, requests, asking for, ask for, looking for, wanted, in search of, does anyone have, anybody got, has anyone got, could someone, can somebody, need help, please help, anyone know, pido, busco, piden",
  question:
    "question, questions, asks what, asks which, ask what, asking what, asking how, asking which, asking whether, asking about, asks about, asking where, pregunta, preguntas, preguntar",
  identify:
    "identify, identification, what is this, what's this, who is this, what kind of, which kind, what was that, the name of, called, its name, his name, name of this, que es esto, como se llama, identificacion",
  media:
    "picture, pictures, photo, photos, photograph, photographs, image, images, screenshot, screenshots, gif, gifs, clip, clips, video, videos, foto, fotos, imagen",
  source: "source, sources, according to, minutes of, report of, study by, fuente, fuentes",
  figure: "figure, figures, statistics, percent, percentage, doubled, tripled, majority, cifra",
  shouting: "shouting, capitals, capital letters, all caps, uppercase, mayusculas",
  dangerous:
    "dangerous, danger, unsafe, hazard, risky, lethal, mains, voltage, fuse, capacitor, gas, explosive, poison, poisonous, toxic, peligro, peligroso, veneno",
  edible:
    "edible, eat, eating, ate, safe to eat, cook, taste, tasty, delicious, recipe, butter, swallowed, harmless, comestible, comer, receta",
  stolen: "stolen, proof of purchase, receipt, serial number, frame number, ownership, robado, robada",
  off_topic: "off topic, off-topic, unrelated, fuera de tema",
  score: "score, scores, rating, stars, points, grade, out of ten, puntuacion",
  list: "list, lists, ranking, rankings, ranked, top five, top ten, lista",
  repost: "repost, reposted, bump, bumping, same message, posted before, again and again",
  drone: "drone, drones, fly, flying",
  trespass:
    "trespass, trespassing, closed, closure, fence, forbidden area, restricted, no entry, off trail, off-trail, shortcut",
  location: "coordinates, gps, location, exact spot, waypoint, map, pin, ubicacion",
  artificial: "generated, image generator, ai-generated, chatbot, artificial, edited, filter, composite, manipulated",
  nudity: "nude, nudity, naked, sexual, explicit, desnudo",
  report: "report, reports, trip report, travelogue, tour, trip, outing, informe, ruta",
  recipe: "recipe, recipes, ingredients, cook, cooked, cooking, bake, baked, dish, dishes, receta, recetas, plato",
  diet: "diet, calories, weight loss, lose weight, fat, skinny, obese, dieta, calorias",
  allergy: "allergy, allergies, allergen, allergens, gluten, nuts, lactose, alergia",
  discourage:
    "discourage, give up, not worth, throw it away, waste of time, don't bother, buy a new one, get a new one",
};

/** Concepts that a post shows by a property (a link in it), not by using the word. In a post the mere word counts little. */
export const PROPERTY_CONCEPTS: ReadonlySet<string> = new Set([
  "link",
  "phone",
  "email",
  "address",
  "shouting",
  "media",
  "question",
]);
