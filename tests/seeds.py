"""What the three documents that the course grew from hold, and where the book has it.

One line for each thing they explain, define, compute or ask, in our own words, then
words that must stand where the book treats it: "the thing :: words | other words".
Lines without "::" say where, as page#anchor, for the lines below them.
"""

from __future__ import annotations

from dataclasses import dataclass

ARTICLE = r"""
lessons/01_soft_lookup#all-queries-at-once
  queries, keys and values go in and blended values come out :: mix the values
  each query meets each key in a dot product :: against every key
  the scores are scaled, go through a softmax and weigh the values :: normalise each row
  the shapes of Q, K and V :: n_q \times d_k
  the formula :: k}^{\top}}{\sqrt{d_k}}
  the score matrix has a row for a query and a column for a key :: one matrix product
  the mechanism in four steps :: one line of code each
  step 2 divides every entry :: scale by
  step 3 is a softmax over each row :: each row with a softmax
  in matrix form the blend is one more product :: weights @ value
  a mask may stand between scale and softmax :: must not look
  the whole as a short function :: def attention
  d_k is read off the shape of the input :: query.shape[-1]
  blocked entries become minus infinity :: -np.inf
  the function returns output and weights :: return weights @ value, weights
glossary#term-scaled-dot-product-attention
  the division gives the mechanism its name :: names the division
glossary#term-dot-product-attention
  plain dot-product attention leaves the factor out :: without a scale
lessons/03_saturation#does-it-break-training
  without the factor training is worse for large d_k :: several times the steps
lessons/02_variance#a-walk-of-d-steps
  the more entries, the larger the dot product :: further away
lessons/02_variance#the-derivation
  so it is for any fixed distribution of the entries :: any distribution
lessons/03_saturation#spread-and-number-of-keys
  large scores make the weights peaked :: a few winners share everything
lessons/03_saturation#the-saturation-demo
  in the peaked regime most gradients are near zero :: all but disappears
lessons/01_soft_lookup#the-softmax-closely
  sigmoid units saturate in the same way :: known for saturating
lessons/02_variance#from-1-to-4096
  after the division the variance is 1 at any d_k :: divided by d_k
lessons/01_soft_lookup#where-queries-keys-and-values-come-from
  first come the projections to queries, keys and values :: three learned matrices
lessons/01_soft_lookup#step-2-the-nearest-key
  a score is the dot product of one query and one key :: as the measure of a match
lessons/01_soft_lookup#step-3-a-blend
  the output for a query is the sum of the values, each times its weight :: average the values
glossary#term-masked-self-attention
  masked self-attention hooks into the mask step :: most often the causal one
lessons/01_soft_lookup#six-common-mistakes
  the weights help to see what happened :: what they do to the weights
lessons/01_soft_lookup#the-softmax-closely
  each row's maximum is subtracted before the exponential :: that is what makes it safe
  a shift of a whole row changes no weight :: cancels
  the exponential overflows early :: overflows above
questions#how-are-masks-used
  a mask acts before the exponential :: before matters
  a mask as a very large negative number :: float16
  masked afterwards, a row lacks mass :: sums to less than 1
lessons/01_soft_lookup#what-it-costs-and-why-it-is-worth-it
  the time of the score product :: multiply-adds each
  the time of scale and mask :: scaling, masking
  the time of the softmax :: softmax touch
  the time of the product with the values :: the mix has
  the total time :: o(n^2 d_k + n^2 d_v)
  one size d stands for both head sizes :: the larger of
  the cost is quadratic in the length :: comparing everything with everything
  the memory of scores, inputs and outputs :: o(n^2 + n d)
  2048 tokens make more than four million scores :: over four million
glossary#open-questions-in-research
  long inputs are why sparse and linear approximations exist :: how to afford it at great length
glossary#term-flashattention
  the stored score matrix is what memory-efficient variants avoid :: never stores
  they compute the weights again instead of keeping them :: computes the weights again
lessons/02_variance#four-assumptions
  entries have mean 0 and variance 1 :: variance 1
  query and key are independent :: query and key independent
  this describes a network right after initialisation :: at initialisation
lessons/02_variance#the-derivation
  the root follows from a calculation of variances :: \mathrm{var}(s) = d_k
  the dot product as a sum :: write the score as a sum
  the mean of a term is 0 :: product of the means
  the variance of a term is 1 :: the variance is the mean square
  the variances of the terms add :: sum of all covariances
  the variance of the score is d_k :: terms of variance 1
  the scaled score has variance 1 :: dividing by a number
lessons/02_variance#why-not-d-or-log-d
  the softmax gets inputs of one fixed size as models grow :: keeps the spread at 1
  only a root keeps the variance constant, a linear or logarithmic factor does not :: only the root
  in practice the constant is one good choice :: three designs choose differently
glossary#term-argmax
  extreme scores turn the softmax into a hard choice :: temperature falls to 0
lessons/03_saturation#the-slope-of-a-softmax
  the entries of the softmax's Jacobian :: p_i\,(\delta_{ij} - p_j)
lessons/03_saturation#one-number-for-its-size
  in saturation one weight is near 1 and the rest near 0 :: saturated
  then every entry of the Jacobian goes to 0 :: one weight is 1 and the rest are 0
lessons/03_saturation#the-saturation-demo
  gradients shrink on the way back through the softmax :: typical
  a larger head saturates more, unless scaled :: with and without the scale
lessons/02_variance#where-it-stops-holding
  the assumptions need not hold once queries and keys are learned :: a network before training
questions#why-are-the-scores-divided-by-the-square-root-of-d-k
  the scale is no proof that gradients stay healthy :: promises nothing about a trained
lessons/01_soft_lookup#every-number-once
  an example with three tokens and four dimensions :: three tokens
  its first query and its three keys :: the first row of
  the scores of the first query :: [[1 1 2]
  the scores of the other queries, whose rows the document lacks :: our choice
  the scores divided by 2 :: halved
  the exponentials of one half and of one :: 1.6487
  their sum :: 6.0157
  the weights of the first query :: 0.452
  the same row without the scale :: leave the scale away
  its weights :: 0.576
  they are more peaked :: the favourite gains
  the three values :: v = np.array
  the output of the first query :: 0.726
lessons/03_saturation#spread-and-number-of-keys
  at d_k = 64 raw scores have spread 8 :: which is 8 at
lessons/01_soft_lookup#step-3-a-blend
  the best key dominates the blend but does not decide it alone :: as loudly as it fits
lessons/01_soft_lookup#where-it-comes-from-and-where-it-went
  the formula came with the Transformer, which replaced recurrence :: dropped the recurrence
  language models use it :: llama
  BERT reads in both directions :: both directions
  vision Transformers attend over image patches :: image patches
  speech models :: speech
  protein structure :: alphafold
  recommendation :: sasrec
lessons/01_soft_lookup#what-it-costs-and-why-it-is-worth-it
  compared with convolution :: convolution
lessons/02_variance#sources
  the paper gives the variance argument itself :: footnote 4
questions#is-it-always-better-than-additive-attention
  alike for small d_k, dot products behind for large d_k unless scaled :: perform alike
glossary#term-decode
  attention runs in every layer for every token written :: every layer
glossary#term-encoder
  encoders serve classification and retrieval :: classification
questions#how-does-it-relate-to-multi-head-attention
  multi-head attention runs several in parallel with their own projections :: side by side
lessons/02_variance#practice
  asked: why do variances add, and how does that justify the root :: why does the variance of a sum
"""

LESSON = r"""
index#the-formula-at-the-heart-of-every-transformer
  the whole Transformer stands on this one operation :: heart of every
lessons/01_soft_lookup#a-dictionary-that-answers-softly
  aim: write it from memory :: from memory
lessons/02_variance#why-the-square-root-of-d-k
  aim: explain the scale :: derive the variance of a score
lessons/01_soft_lookup#the-problem
  a map from problem to output, over lookup, projections, scores and softmax :: eight steps
  the problem: mix information across a sequence, by content :: depend on the content
  the map marks the quadratic cost at the scores :: costly
  one sentence: positions exchange as much as learned similarity says :: question and offer agree
lessons/01_soft_lookup#step-1-a-dictionary
  a dictionary finds the entry whose key matches exactly :: equals
lessons/01_soft_lookup#soft-means-that-it-can-learn
  the soft lookup is differentiable :: a gradient everywhere
  so it learns what to look for :: nobody tells the query
lessons/01_soft_lookup#where-queries-keys-and-values-come-from
  a token asks with its query :: what a token looks for
  a token offers with its key :: what it offers
  a token gives its value :: what it hands over
  projections of one input make the three matrices :: turn each row into
  a diagram of the pass of three tokens :: three tokens on their way
  scores and weights are three by three there :: a row and a column for each token
  output row i is token i's own blend :: own blend of all values
lessons/01_soft_lookup#step-3-a-blend
  a query is compared with all keys, not with one :: ask every key
  the weights sum to 1 :: sum to 1
  a blend instead of one value :: a blend
lessons/01_soft_lookup#what-it-costs-and-why-it-is-worth-it
  information travels any distance in one step :: two far tokens
lessons/01_soft_lookup#where-it-comes-from-and-where-it-went
  additive attention: a network scores decoder against encoder states :: small network
  the dot product took the network's place :: plain dot products
  attention became the model and was no addition any more :: addition to recurrent networks
questions#is-it-always-better-than-additive-attention
  the dot product is cheaper and parallel :: what decides in practice is speed
lessons/01_soft_lookup#all-queries-at-once
  S_ij says how well query i fits key j :: stack the queries
  the formula, and the shape of its result :: the blend for query
glossary#term-weight
  a large weight means that one token attends to another :: attends to token
questions#why-are-the-scores-divided-by-the-square-root-of-d-k
  at d_k = 128 scores swing by about 11 :: 11.3
  one division keeps the softmax responsive at the start :: mild preference
lessons/01_soft_lookup#the-softmax-closely
  the tails of a saturated function are flat :: it is flat
lessons/03_saturation#one-number-for-its-size
  a saturated row does not respond :: responsive
glossary#term-kv-cache
  the causal mask allows past keys and values to be cached :: makes it possible
  it grows linearly with the length :: grows linearly
glossary#term-causal-mask
  a decoder's token must not see the future :: no later ones
questions#write-the-formula-from-memory-and-say-in-one-line-why-the-factor-is-there
  quiz: the formula from memory :: all queries at once
  quiz: one line on the factor :: brings it back to 1
notation#sizes
  a multiply-add counts as 2 :: as 2
questions#what-does-the-core-cost-for-two-sequences-of-1024-tokens-with-one-head-of-d-1024
  FLOPs of the scores :: multiply-adds
  FLOPs of the softmax, a small part :: the softmax adds
  FLOPs of the blend :: costs the same again
  problem: the core for two sequences of 1024 tokens at d = 1024 :: 8.6 gflop
  one head or many is the same for the core :: into heads changes nothing
glossary#term-quadratic-cost
  twice the context, four times the compute :: four times the work
  and four times the memory of a stored score matrix :: four times the memory
questions#one-layer-of-d-4096-reads-2k-8k-then-32k-tokens-how-do-work-and-cache-grow
  the projections grow with s d^2 :: four projections
  they dominate short inputs until the square overtakes them :: core and projections are equal
  try it: sweep 2k, 8k, 32k at d = 4096 :: 32768
  the cache grows linearly in the sweep :: 16 bits a number
questions#the-context-grows-from-4k-to-16k-tokens-by-what-factor-do-the-products-with-the-keys-grow-and-by-what-factor-the-kv-cache
  quiz: the factor of the score product :: grows 16 times
  quiz: the factor of the cache :: grows 4 times
  the cache stores one key and one value a token :: one key and one value
  at inference the cache often limits :: often what limits it
questions#where-should-i-start
  read section 3.2 of the Transformer paper :: section 3.2
  skim Bahdanau et al. :: bahdanau
questions#the-variance-argument-how-far-must-the-right-key-stand-out
  asked for: a harder problem on the variance :: correlation
questions#masking-is-it-the-same-to-mask-after-the-softmax-and-divide-each-row-by-its-sum
  asked for: a harder problem on masking :: underflows
questions#counting-what-share-of-a-layer-s-products-does-a-causal-core-of-4096-tokens-have-at-d-4096-with-32-heads
  asked for: a harder problem on FLOPs :: one fifth
lessons/01_soft_lookup#sources
  reference: Vaswani et al. 2017 :: attention is all you need
  reference: Bahdanau et al. 2014 :: jointly learning to align
"""

CARD = r"""
glossary#term-scaled-dot-product-attention
  definition: softmax of scaled products of queries and keys, applied to values :: \sqrt{d_k})\,v
glossary#term-scale
  the scale holds the variance as dimensions grow :: independent of
lessons/03_saturation#does-it-break-training
  it makes training more stable :: every run learns the task
lessons/01_soft_lookup#where-queries-keys-and-values-come-from
  it is the base of self-attention and cross-attention :: cross-attention
questions#how-does-it-relate-to-multi-head-attention
  asked: how does it relate to multi-head attention :: several times
  heads work in projected subspaces :: compares and collects other things
lessons/01_soft_lookup#where-it-comes-from-and-where-it-went
  it serves language, vision and mixed inputs :: speech frames, and text to speech
glossary#term-additive-attention
  additive attention as a relative :: predecessor
glossary#term-cosine-attention
  cosine attention as a relative :: cosine of the angle
glossary#two-definitions-compared
  a definition by Vaswani et al. :: the sizes
  what it added: the scale and the three roles :: gave the scale
  a definition by Harvard NLP :: the roles
  what it adds: steps and code :: easier one to program from
glossary#related-and-competing-terms
  related: self-attention :: self-attention
  related: attention head :: attention head
  related: Transformer :: the model built around it
  related: cross-attention :: cross-attention
  related: positional encoding :: positional encoding
  related: attention mechanism :: attention mechanism
  related: softmax :: its third step
  related: query-key-value :: query-key-value
  related: sequence-to-sequence model :: sequence-to-sequence
  competing: additive attention :: competing way to score
  areas of knowledge :: mathematics, machine learning and data science
  whom it concerns: who builds, runs and feeds models :: who run them
questions#where-should-i-start
  source: Wikipedia :: wikipedia
  source: the Annotated Transformer :: annotated transformer
  source: Stanford CS224N :: cs224n
  asked: where to start :: problem set 1
  experiment with a small implementation :: an implementation of your own
questions#why-are-the-scores-divided-by-the-square-root-of-d-k
  asked: why the square root of d_k :: brings the spread back to 1
  the scale matters more as dimensions grow :: 8 at
questions#what-problem-does-attention-solve-in-a-transformer
  asked: what problem does it solve :: depends on the content
  long-range dependencies without recurrence or convolution :: it needs no convolution
  all positions of a sequence in parallel :: all positions of a known sequence
questions#how-are-masks-used
  asked: how are masks used :: a mask says
  blocked scores are minus infinity :: before the softmax
  causal masks and padding masks :: padding mask
questions#what-mistakes-are-common
  asked: what is a common mistake :: no scale
  the scale after the softmax :: scale after the softmax
questions#is-it-always-better-than-additive-attention
  asked: is it always better than additive attention :: a predecessor and not a variant
  additive scores stay competitive in some settings :: slightly ahead
questions#what-does-it-do-to-a-model-s-efficiency
  asked: what does it do to efficiency :: two matrix products
  accelerators do such products best :: hardware does those best
questions#what-are-open-research-topics
  asked: what are hot topics :: long contexts
  sparse patterns :: sparse patterns
  kernelised attention :: kernelised
  low-rank approximations :: low-rank
glossary#term-padding
  padding is kept out of the weights :: get no weight
glossary#term-autoregressive
  causal decoding in training and inference :: under the same rule
"""

# Where the documents err, or say too much.
CORRECTIONS = """
lessons/01_soft_lookup#every-number-once
  the unscaled exponentials sum to 12.826, not to 12.825 :: 12.826
lessons/03_saturation#spread-and-number-of-keys
  at spread 8 not nearly all rows are one-hot: 78, 44 and 27 percent :: 27% of the rows
  more spread can mean a larger gradient, with many keys :: passes more
lessons/03_saturation#the-saturation-demo
  gradients do not just vanish: they become rare and large :: rare and large
lessons/03_saturation#what-the-toy-example-shows
  the toy example shows sharpening, hardly any vanishing :: it shows sharpening
lessons/03_saturation#does-it-break-training
  training without the scale is worse, not impossible :: it is not: every run ends far above chance
  the paper only suspects the reason :: we suspect
lessons/02_variance#where-it-stops-holding
  LayerNorm does not bound the scores :: nothing bounds the matrices
  after training queries and keys are correlated :: this is what training does
questions#the-context-grows-from-4k-to-16k-tokens-by-what-factor-do-the-products-with-the-keys-grow-and-by-what-factor-the-kv-cache
  compute outgrows the cache, not a stored score matrix :: true of the cache only
questions#one-layer-of-d-4096-reads-2k-8k-then-32k-tokens-how-do-work-and-cache-grow
  with the projections the sweep grows 6.4 and 10 times, not 16 :: not 16
questions#what-does-it-do-to-a-model-s-efficiency
  FlashAttention keeps the function, sparse and linear attention do not :: another function
  FlashAttention tiles, and recomputes in the backward pass :: recomputes the weights
questions#does-every-large-model-use-exactly-this-formula
  not every large model computes this exact formula :: no explicit scale
lessons/02_variance#why-not-d-or-log-d
  not every architecture divides by the root :: divide by nothing
questions#what-mistakes-are-common
  a softmax that assigns to its loop variable returns its input :: returns its input
  scores are not square: n_q rows and n_k columns :: a square n
questions#how-are-masks-used
  a mask of -1e9 fails in float16 :: does not exist
questions#is-it-always-better-than-additive-attention
  additive attention came first and is no variant :: not a variant
lessons/01_soft_lookup#every-number-once
  rows 2 and 3 of Q had to be chosen :: gives no other rows
lessons/02_variance#step-4-slowly
  variances add for uncorrelated terms already :: dependent, yet uncorrelated
"""

LESSONS_4_AND_5 = """
lessons/04_masking#four-masks
  in a decoder token i is kept from seeing later tokens :: causal
  padding is suppressed with a mask of its own :: padding
  the mask makes the same operation causal :: language model
lessons/04_masking#two-alignments
  scores above the diagonal become minus infinity :: lower triangle
lessons/04_masking#before-the-softmax
  the softmax then gives them weight zero, measured :: weight 0
  additive minus infinity before the exponential, measured against clipping after it :: mass
lessons/04_masking#how-negative-is-negative-enough
  -1e9 against -inf in float16, bfloat16 and float32 :: float16
lessons/04_masking#what-the-causal-mask-is-good-for
  past keys and values can be kept because no earlier token sees a later one :: cache
lessons/05_costs#what-attention-costs
  aim: compute the FLOPs and the quadratic cost :: flop
lessons/05_costs#counting
  the table of steps, shapes and FLOPs, checked by counter and by time :: softmax
  the core's FLOPs by formula :: core
lessons/05_costs#three-ways-to-check
  double the context, four times the attention, measured :: four times
lessons/05_costs#who-dominates-when
  the four projections and the length where the core overtakes them :: crossover
  the sweep at d = 4096, in the calculator :: 6.4
lessons/05_costs#bytes-scores-and-cache
  the score matrix of 2048 tokens in bytes :: 16 mib
  what the cache holds for each token, in bytes :: 128 kib
  prefill grows with the square, the cache linearly :: linear
lessons/05_costs#the-calculator
  a calculator to try: width, heads, batch, length :: cache
lessons/05_costs#decoding-with-a-cache
  causal decoding with a cache equals the full computation :: full computation
lessons/05_costs#practice
  the practice problem, checked against the calculator :: 8.6
"""

# What lessons to come will hold, with the section expected. When one of them arrives,
# its lines move up.
COMING = {
    "06": """
lessons/06_online_softmax#what-is-read-and-written
  the bottleneck formalised: what is read and written :: read
lessons/06_online_softmax#exact-and-approximate
  which efficient variants are exact and which approximate, measured :: exact
  recomputing instead of storing the weights, in the backward pass :: recompute
""",
    "07": """
lessons/07_heads#many-heads
  several attentions in parallel with learned projections, in code :: head
  different heads attend to different things, shown :: head
lessons/07_heads#four-ways-to-score
  additive against dot products over d_k, one experiment :: additive
  cosine scores beside them :: cosine
lessons/07_heads#the-block
  the Transformer block around the heads :: block
""",
}


@dataclass(frozen=True)
class Item:
    """One thing that a document holds, and where the book has it."""

    what: str
    words: tuple[str, ...]
    page: str
    anchor: str


def items(table: str) -> list[Item]:
    """Read one of the tables above."""
    found, place = [], ("", "")
    for line in filter(None, map(str.strip, table.splitlines())):
        what, mark, words = line.partition(" :: ")
        if mark:
            found.append(Item(what, tuple(words.split(" | ")), *place))
        else:
            page, _, anchor = line.partition("#")
            place = (page, anchor)
    return found


COVERED = [
    item for table in (ARTICLE, LESSON, CARD, CORRECTIONS, LESSONS_4_AND_5) for item in items(table)
]
TO_COME = {lesson: items(table) for lesson, table in COMING.items()}
